"""Commands whose answer lies in what they read, a small good file of each kind, for the promise of memory: name, words, what they
write. promises.py runs them."""
import glob
import os
import shutil
import zipfile

import hostile

TESTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")

READING = [
    ("board file", "boards show ./board.xml", []),
    ("boards checked", "boards check ./board.xml ./wrong.xml", []),
    ("Vivado board", "boards import vivado/board.xml -o seven.xml", ["seven.xml"]),
    ("reports", "calibrate reports/own_csynth_2022.xml reports/own_utilization_2019.rpt reports/own_yosys_stat.json", []),
    ("more reports", "calibrate reports/own_csynth_summary_2024.rpt reports/own_cosim_2022.rpt reports/own_power_2022.rpt reports/own_timing_2023.rpt", []),
    ("fit", "calibrate routed.rpt --engine kse --instance inner_U0 --dataset MUTAG --config nee.lanes=16 -o kse.xml --force", []),  # refused, for what it fits
    ("GraphML", "datasets show ./own.graphml", []),
    ("graphs' arrays", "datasets show ./own.npz", []),
    ("edges", "datasets show ./EDGES", []),
    ("zip", "datasets show ./TOY.zip", []),
    ("nodes", "datasets show ./NODES", []),
    ("triples", "datasets show ./TRIPLES", []),
    ("table", "datasets show ./TABLE.csv", []),
    ("program", "simulate --family smgpu --program load.txt --memory arrays.npz", []),
    ("knobs", "optimize --board zcu104 --dataset MUTAG --space knobs.xml --minimize latency --method heuristic --budget 60", []),
    ("experiment", "run plan.yaml --dry-run", []),
    ("saved study", "study show kept.db", []),
    ("help", "sweep --help", []),
    ("manual", "emit --man", []),
    ("completions", "completions bash", []),
]

VIVADO = {
    "board.xml": """<board schema_version="2.0" vendor="example.com" name="Seven" display_name="Seven board" preset_file="preset.xml">
<file_version>1.0</file_version><components><component name="part0" type="fpga" part_name="xc7z020clg400-1"><interfaces>
<interface name="ps7_fixedio" type="xilinx.com:display_processing_system7:fixedio_rtl:1.0" preset_proc="ps7_preset"/>
</interfaces></component></components></board>""",
    "preset.xml": """<ip_presets schema="1.0"><ip_preset preset_proc_name="ps7_preset"><ip name="processing_system7"><user_parameters>
<user_parameter name="CONFIG.PCW_UIPARAM_DDR_FREQ_MHZ" value="525"/><user_parameter name="CONFIG.PCW_UIPARAM_DDR_MEMORY_TYPE" value="DDR 3"/>
<user_parameter name="CONFIG.PCW_UIPARAM_DDR_BUS_WIDTH" value="16 Bit"/><user_parameter name="CONFIG.PCW_UIPARAM_DDR_DRAM_WIDTH" value="16 Bits"/>
<user_parameter name="CONFIG.PCW_UIPARAM_DDR_DEVICE_CAPACITY" value="4096 MBits"/></user_parameters></ip></ip_preset></ip_presets>""",
}
EDGES = {"edges.csv": "source,target\n1,2\n2,3\n", "nodes.csv": "id,graph,label\n1,1,a\n2,1,b\n3,1,a\n", "graphs.csv": "id,class\n1,x\n"}


def write(folder, texts):
    os.makedirs(folder, exist_ok=True)
    for name, text in texts.items():
        with open(os.path.join(folder, name), "w") as stream:
            stream.write(text)


def prepare(bench):
    """Their inputs, beside those of the other promises."""
    at = lambda name: os.path.join(bench.inputs, name)
    corpus = os.path.join(TESTS, "fuzz/corpus")
    for name, source in (("board.xml", "board/good.xml"), ("wrong.xml", "board/faults.xml"), ("own.graphml", "graphs/graphml"), ("knobs.xml", "question/knobs.xml")):
        shutil.copy(os.path.join(corpus, source), at(name))
    os.makedirs(at("reports"))
    for path in glob.glob(os.path.join(TESTS, "resources/reports/own_*")):
        shutil.copy(path, at("reports"))
    with open(at("reports/own_hierarchy_2022.rpt")) as stream:
        write(bench.inputs, {"routed.rpt": stream.read().replace("Design State : Synthesized", "Design State : Routed")})
    write(at("vivado"), VIVADO)
    write(at("EDGES"), EDGES)
    os.makedirs(at("made"))
    shutil.copy(hostile.arrays(at("made"))[0], at("own.npz"))
    shutil.rmtree(at("made"))
    with zipfile.ZipFile(at("TOY.zip"), "w", zipfile.ZIP_DEFLATED) as out:
        for name in sorted(os.listdir(at("TOY"))):
            out.write(at(os.path.join("TOY", name)), os.path.join("TOY", name))
