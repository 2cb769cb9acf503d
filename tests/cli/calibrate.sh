# Reading reports in every form, refusing with a reason, and fitting factors.
reports=$here/../resources/reports
cp "$reports"/own_* "$reports"/bad_* .
try calibrate own_csynth_2022.xml own_utilization_2019.rpt
try calibrate own_timing_2023.rpt bad_cut.xml own_power_2022.rpt bad_quartus.rpt
try calibrate own_hierarchy_2022.rpt own_estimate_2020.xtxt bad_empty.rpt --format csv
try calibrate own_cosim_2022.rpt --format json
try calibrate
try calibrate nowhere.rpt
try calibrate own_power_2022.rpt -o power.json --format json
grep -c '"power_w": 0.712' power.json

try calibrate own_utilization_2019.rpt --engine kse --dataset MUTAG --config kse.pe=4 -o kse.xml >fit.txt
sed -n '/^factors/p' fit.txt
grep -c '<factor ' kse.xml
# What a calibration changed is said wherever it was used.
try estimate --dataset MUTAG --calibration kse.xml | tail -2
try sweep --dataset MUTAG --calibration kse.xml --fix nee.lanes --fix nee.form -q | sed -n '3p'
try sweep --dataset MUTAG --calibration kse.xml --fix nee.lanes --fix nee.form --format json | sed -n '/"calibration"/p' | sort -u
try calibrate own_utilization_2019.rpt own_csynth_2022.xml --engine kse --dataset MUTAG -o none.xml
try calibrate own_utilization_2019.rpt --engine ksee --dataset MUTAG
try calibrate own_utilization_2019.rpt --engine kse --dataset MUTAG --config kse.pes=4
try calibrate own_utilization_2019.rpt --engine kse --dataset MUTAG --config kse.pe=4 --config kse.pe=8
try calibrate own_utilization_2019.rpt --engine kse --dataset MUTAG --config kse.pe=4 --board pynq-z2
try calibrate own_utilization_2019.rpt --engine kse
try calibrate own_utilization_2019.rpt own_hierarchy_2022.rpt --engine kse --dataset MUTAG
try calibrate own_utilization_2019.rpt --engine kse --dataset '*'
try calibrate own_utilization_2019.rpt --engine kse --dataset MUTAG --calibration kse.xml
try calibrate bad_empty.rpt --engine kse --dataset MUTAG -o none.xml
try calibrate own_utilization_2019.rpt --config kse.pe=4
[ ! -e none.xml ] || echo "none.xml is there"
