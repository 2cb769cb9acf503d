# Reads reports in every format, rejects with a reason, and fits factors.
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


# A report of another kernel, whose top is "adder", is rejected for this design.
try calibrate own_utilization_2019.rpt --engine kse --dataset MUTAG --config kse.pe=4 -o none.xml | tail -3
try calibrate own_csynth_2022.xml --engine all --dataset MUTAG -o none.xml | tail -3
# With --instance it is rejected for its amounts, unless --force is given.
try calibrate own_csynth_2022.xml --engine all --instance inner --dataset MUTAG -o none.xml | tail -3

# Negative factors, which no later command could read, are rejected even with --force.
try calibrate own_utilization_2019.rpt --engine nee --force --dataset MUTAG --config nee.lanes=128 -o none.xml | tail -3
test -e none.xml && echo "a calibration was written"

# The loop: emit, synthesise, calibrate, search again. No vendor tool runs here; the reports are made up such that operators take 0.7 of
# the library's LUTs.
synthesise() { # FOLDER, share of the LUTs of engines with operators, interval of the KSE
    /usr/bin/python3 - "$1" "$2" "${3:-2}" <<'EOF'
import json, sys
d = json.load(open(sys.argv[1] + "/expected.json"))
words = {"bram18": "BRAM_18K", "dsp": "DSP", "ff": "FF", "lut": "LUT", "uram": "URAM"}
def resources(r, share):
    return "".join(f"<{words[k]}>{round(v * (share if k == 'lut' else 1))}</{words[k]}>" for k, v in r.items() if k in words)
share = float(sys.argv[2])
modules = "".join(f"<Module><Name>{d['top'].rsplit('_', 1)[0]}_{e['name']}</Name><AreaEstimates><Resources>"
                  f"{resources(e['resources'], share)}</Resources></AreaEstimates></Module>" for e in d["engines"])
# As expected (a tool counts one more cycle in a depth), except: the KSE takes a slot every other cycle, and the MPHE's depth is 1.5 times
# as large. The SCE's loops are missing.
loops = "".join(f"<{l['loop']}><Name>{l['loop']}</Name><TripCount><range><min>1</min><max>9</max></range></TripCount>"
                f"<PipelineII>{int(sys.argv[3]) if l['loop'] == 'kse_slots' else l['ii']}</PipelineII>"
                f"<PipelineDepth>{1 + l['depth'] * (1.5 if l['loop'] == 'mphe_codes' else 1):.0f}</PipelineDepth></{l['loop']}>"
                for l in d["loops"] if not l["loop"].startswith("sce"))
open(sys.argv[1] + "/csynth.xml", "w").write(f"""<?xml version="1.0"?>
<profile><ReportVersion><Version>2022.2</Version></ReportVersion><UserAssignments><unit>ns</unit>
<Part>xczu7ev-ffvc1156-2-e</Part><TopModelName>{d['top']}</TopModelName><TargetClockPeriod>3.33</TargetClockPeriod></UserAssignments>
<PerformanceEstimates><SummaryOfTimingAnalysis><EstimatedClockPeriod>3.1</EstimatedClockPeriod></SummaryOfTimingAnalysis>
<SummaryOfLoopLatency><graphs><Name>graphs</Name><TripCount>4</TripCount>{loops}</graphs></SummaryOfLoopLatency></PerformanceEstimates><AreaEstimates><Resources>{resources(d['resources'], share)}</Resources><AvailableResources><LUT>230400</LUT></AvailableResources></AreaEstimates>
<ModuleInformation>{modules}</ModuleInformation></profile>""")
EOF
}
try emit --only header --dataset MUTAG --preset literal -o d -q
try calibrate --from d
synthesise d 0.75
try calibrate --from d --apply -q >fit.txt
sed -n '/^loops/,$p' fit.txt
sed -n '/^factors/,/^$/p' fit.txt
sed -n '/^cycles/,/^$/p' fit.txt
grep '<cycles' xdg/nysx-dse/boards/zcu104.hls.calibration.xml
grep -c 'measured' fit.txt
(cd xdg && find . -type f)
# Every answer names the calibration that it used; --calibration none disables it.
try estimate --dataset MUTAG | grep -o 'calibrated by.*boards/.*xml' | sed "s|by .*/xdg|by xdg|"
try estimate --dataset MUTAG --calibration none | grep -c 'calibrated by'
# Cycles follow the made-up loops: twice as many for the KSE, a 1.5 times longer pipeline for the MPHE.
for with in xdg/nysx-dse/boards/zcu104.hls.calibration.xml none; do
    "$program" estimate --dataset MUTAG --preset literal --calibration $with --format json >cycles.json
    /usr/bin/python3 -c "import json; print({e['name']: e['cycles'] for e in json.load(open('cycles.json'))['engines'] if e['name'] in ('mphe', 'kse', 'sce')})"
done
try whatif --dataset MUTAG --set kse.pe=8 | grep -c 'calibrated by /'
try roofline --dataset MUTAG | grep -c 'calibrated by /'
try optimize --dataset MUTAG --minimize latency --where 'lut<=20%' --fix nee.form --fix nee.lanes | grep -c 'calibrated by /'
try emit --only header --dataset MUTAG --preset literal -o calibrated -q
grep -c 'NYSX_CALIBRATION "/' calibrated/nysx_origin.h
# A folder emitted with the calibration is fitted against the unchanged library: the same factors, not their squares.
cp d/csynth.xml calibrated/
try calibrate --from calibrated -o again.xml -q >/dev/null
grep '<cycles' again.xml | cmp - <(grep '<cycles' xdg/nysx-dse/boards/zcu104.hls.calibration.xml)
try sweep --dataset MUTAG --fix nee.lanes --fix nee.form -q --study s.db | grep -c 'xdg/nysx-dse/boards/zcu104.hls.calibration.xml'
try sweep --dataset MUTAG --fix nee.lanes --fix nee.form --format json | grep -o '"calibration": ".*xdg' | sort -u | wc -l
try estimate --from s.db:best | grep -c 'calibrated by /'
try report --study s.db -o page.html
grep -c 'zcu104.hls.calibration.xml' page.html
rm -r xdg
# For a board file, the calibration lies in the board's folder.
try boards show zcu104 --format csv >unused.csv
cp "$(dirname "$program")/../share/nysx-dse/boards/zcu104.xml" mine.xml
try calibrate --from d --apply --board mine.xml -q >fit.txt
ls mine.*
try estimate --dataset MUTAG --board mine.xml | grep -o 'calibrated by.*xml'
rm mine.*
# Implausible reports: engines take a tenth of the library's resources.
synthesise d 0.1
try calibrate --from d --apply -q | tail -3
try calibrate --from d --force -o forced.xml -q >fit.txt
grep -c '<factor ' forced.xml
# A KSE with nine cycles per slot is not this design.
synthesise d 0.75 9
try calibrate --from d -o none.xml -q | tail -3
try calibrate --from d --force -o forced.xml -q >/dev/null
grep -c 'engine="kse" of="interval"' forced.xml
try calibrate --from nowhere
try calibrate --apply own_csynth_2022.xml
try calibrate own_utilization_2019.rpt own_csynth_2022.xml --engine kse --force --dataset MUTAG -o none.xml
try calibrate own_utilization_2019.rpt ./own_utilization_2019.rpt --engine kse --force --dataset MUTAG --config kse.pe=4
try calibrate own_utilization_2019.rpt --engine ksee --dataset MUTAG
try calibrate own_utilization_2019.rpt --engine kse --dataset MUTAG --config kse.pes=4
try calibrate own_utilization_2019.rpt --engine kse --dataset MUTAG --config kse.pe=4 --config kse.pe=8
try calibrate own_utilization_2019.rpt --engine kse --force --dataset MUTAG --config kse.pe=4 --board pynq-z2
try calibrate own_utilization_2019.rpt --engine kse
try calibrate own_utilization_2019.rpt own_hierarchy_2022.rpt --force --engine kse --dataset MUTAG
try calibrate own_utilization_2019.rpt --engine kse --dataset '*'
try calibrate own_utilization_2019.rpt --engine kse --dataset MUTAG --calibration forced.xml
try calibrate bad_empty.rpt --engine kse --dataset MUTAG -o none.xml
try calibrate own_utilization_2019.rpt --config kse.pe=4
[ ! -e none.xml ] || echo "none.xml is there"

# Yosys' counts of SystemVerilog are a separate level: a factor per resource of an engine, only for --flow rtl. The reports are made up: a
# tenth more LUTs, a tenth fewer flip-flops.
count() { # FOLDER, share of the LUTs
    mkdir -p "$1/synth"
    /usr/bin/python3 - "$1" "$2" <<'EOF2'
import json, sys
d = json.load(open(sys.argv[1] + "/expected.json"))
engines = {e["name"]: e["resources"] for e in d["engines"]}
for module, engine in d["modules"].items():
    first = module == next(m for m, e in d["modules"].items() if e == engine) # which has all of it
    r = engines[engine] if first else dict.fromkeys(engines[engine], 0)
    cells = {"LUT6": round((r["lut"] - r["lutram"]) * float(sys.argv[2])), "FDRE": round(r["ff"] * 0.9), "SRL16E": round(r["lutram"] * float(sys.argv[2])),
             "RAMB18E2": r["bram18"], "DSP48E2": r["dsp"]}
    json.dump({"creator": "Yosys 0.23 (git sha1 7ce5011c24b)", "modules": {"$paramod$1\\" + module: {"num_cells_by_type": cells}},
               "design": {"num_cells_by_type": cells}}, open(f"{sys.argv[1]}/synth/{module}.json", "w"))
EOF2
}
"$program" datasets generate made --graphs 40 --seed 3 -q >unused.txt
try train --dataset made --form direct --codes wl --hops 2 --dim 1024 -o direct.npz -q >unused.txt
design="--dataset made --board zcu104 --flow rtl"
try emit $design --model direct.npz --set nee.lanes=16 -o r16 -q
try emit $design --model direct.npz --set nee.lanes=64 -o r64 -q
try calibrate --from r16 --dataset made
count r16 1.1
count r64 1.1
try calibrate --from r16 --from r64 --dataset made -o rtl.xml -q | sed -n '/^factors/,/^$/p'
grep -c '<amount' rtl.xml
for with in rtl.xml none; do
    "$program" estimate $design --preset literal --set nee.form=direct --set codes=wl --set hops=2 --set dim=1024 --set nee.lanes=16 --calibration $with --format json -q >told.json
    /usr/bin/python3 -c "import json; d = json.load(open('told.json')); print({e['name']: (e['lut'], e['ff']) for e in d['engines'] if e['name'] == 'nee'})"
done
try estimate $design --preset literal --set nee.form=direct --set codes=wl --calibration rtl.xml -q | grep -o 'calibrated by rtl.xml'
# Levels are never mixed, however the reports are given.
try estimate --dataset made --board zcu104 --calibration rtl.xml
try estimate $design --calibration forced.xml -q
try calibrate r16/synth/nysx_sce.json --engine sce --dataset made -q
try calibrate --from r16 --from d --dataset made -o none.xml
