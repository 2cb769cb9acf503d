# Listing, showing, checking and importing boards, and each kind of bad input.
try boards list 'zcu10*'
try boards list --board U2* --format csv | cut -d, -f1,3,8,9
try boards list 'nothing*'
try boards show zcu999
try boards show
try boards show ZCU104 | sed -n '1,27p'
try boards show f1 --format json | grep -e '"schema"' -e '"name": "aws-f1"' -e '"part"'
try boards frobnicate

cat >mine.xml <<'END'
<board version="1" name="mine" title="Mine">
<sources><source id="me" evidence="assumed">Me</source></sources>
<part name="xc7z020clg400-1" family="zynq-7000" dsp="DSP48E1" process_nm="28" slrs="1" source="me"/>
<resources>
<chip bram18="280" uram="0" dsp="220" lut="53200" ff="106400" lutram="17400" source="me"/>
<platform bram18="0" uram="0" dsp="0" lut="2400" ff="4800" lutram="0" source="me"/>
<headroom bram18="0.1" uram="0" dsp="0" lut="0" ff="0" lutram="0" source="me"/>
</resources>
<memories><memory name="ps-ddr" kind="ps-ddr" technology="DDR3" channels="1" width_bits="16" source="me">
<rate preset_mtps="1050" nominal_mtps="1050" source="me"/>
<efficiency share="0.87" low="0.75" high="0.97" source="me"/>
<latency read_ns="250" low_ns="150" high_ns="400" source="me"/>
<capacity mib="512" source="me"/>
<energy pj_per_bit="70" low="35" high="90" source="me"/>
</memory></memories>
<ports><port name="hp" memory="ps-ddr" count="4" width_bits="64" max_burst_beats="16" source="me"/></ports>
<clocks default_mhz="100" max_mhz="150" source="me">
<cap mhz="150" bram18="0.8" uram="0.8" dsp="0.8" lut="0.7" ff="0.5" lutram="0.7" source="me"/>
</clocks>
<power><static w="0.13" low_w="0.11" high_w="0.15" source="me"/></power>
</board>
END
try boards check mine.xml
try boards list --board ./mine.xml
sed 's/dsp="220"/dsp="-3"/; s/memory="ps-ddr" count/memory="moon" count/; s/<power>/<power><fan\/>/' mine.xml >bad.xml
try boards check bad.xml mine.xml
try boards check bad.xml --format json -o verdict.json
grep -c '"bad.xml:' verdict.json
try boards list --board ./bad.xml
printf '<!DOCTYPE board [<!ENTITY a "aa">]><board>&a;</board>' >bomb.xml
try boards check bomb.xml
printf '<board\0/>' >nul.xml
try boards check nul.xml
head -c 300 mine.xml >cut.xml
try boards check cut.xml
try boards check nowhere.xml
try boards check ZCU104
try boards check zcu10
try boards check

mkdir vivado
cat >vivado/board.xml <<'END'
<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<board schema_version="2.0" vendor="example.com" name="Seven" display_name="Seven board" preset_file="preset.xml">
<file_version>1.0</file_version>
<components><component name="part0" type="fpga" part_name="xc7z020clg400-1"><interfaces>
<interface name="ps7_fixedio" type="xilinx.com:display_processing_system7:fixedio_rtl:1.0" preset_proc="ps7_preset"/>
<interface name="sys_clock" type="xilinx.com:signal:clock_rtl:1.0"><parameters>
<parameter name="frequency" value="125000000"/></parameters></interface>
</interfaces></component></components></board>
END
try boards import vivado/board.xml -o lost.xml
try boards check lost.xml
cat >vivado/preset.xml <<'END'
<ip_presets schema="1.0"><ip_preset preset_proc_name="ps7_preset"><ip name="processing_system7"><user_parameters>
<user_parameter name="CONFIG.PCW_UIPARAM_DDR_FREQ_MHZ" value="525"/>
<user_parameter name="CONFIG.PCW_UIPARAM_DDR_MEMORY_TYPE" value="DDR 3"/>
<user_parameter name="CONFIG.PCW_UIPARAM_DDR_BUS_WIDTH" value="16 Bit"/>
<user_parameter name="CONFIG.PCW_UIPARAM_DDR_DRAM_WIDTH" value="16 Bits"/>
<user_parameter name="CONFIG.PCW_UIPARAM_DDR_DEVICE_CAPACITY" value="4096 MBits"/>
</user_parameters></ip></ip_preset></ip_presets>
END
try boards import vivado/board.xml -q -o seven.xml
try boards check seven.xml
try boards list --board ./seven.xml
try boards check vivado/board.xml
try boards import mine.xml -o none.xml
try boards import vivado/preset.xml -o none.xml
sed 's/xc7z020clg400-1/xc9z999-1/' vivado/board.xml >vivado/unknown.xml
try boards import vivado/unknown.xml -o none.xml
try boards import
ls

# A part selects its board if only one board has it.
try boards show xczu7ev
"$program" boards show XCZU28DR-ffvg1517 | sed -n 1p

# A shipped board's file as the start of a user's board.
try boards show zcu104 -o own.xml
try boards check own.xml
try boards show 'zcu*' -o own.xml
try boards show zcu104 kv260 -o own.xml
try boards show zcu104 -o no/such/folder/own.xml
cmp own.xml "$("$program" boards check own.xml >/dev/null && dirname "$program")/../share/nysx-dse/boards/zcu104.xml" && echo "the same file"
