"""Further commands that write, for the promises about kills and full disks: name, words, outputs. promises.py runs them."""

WRITING = [
    ("picture", "plot latency --dataset MUTAG --x nee.lanes -o p.svg", ["p.svg"]),
    ("pixels", "plot front --study kept.db -o p.png", ["p.png"]),
    ("picture's data", "plot latency --dataset MUTAG --x nee.lanes -o p.pdf --data d.csv", ["d.csv", "p.pdf"]),
    ("rtl", "emit --model resident.npz --dataset ./TOY --set nee.form=resident --set nee.precision=int8 --set place.p=bram --flow rtl --cases 2 -o rtl -q --force", ["rtl"]),
    ("generate", "datasets generate MADE --graphs 12 --nodes 6 --seed 3 -q", ["MADE"]),
    ("profile", "datasets profile ./TOY --landmarks 4 --seeds 0 -o toy2.xml -q", ["toy2.xml"]),
    ("hypervectors", "infer --model model.npz --dataset TOY --hypervectors h.npz -q", ["h.npz"]),
    ("program", "simulate --family smgpu --program load.txt --memory arrays.npz -o out.npz", ["out.npz"]),
    ("lp", f"optimize --board zcu104 --dataset MUTAG --minimize energy --method ilp --write-lp x.lp --fix nee.form=factored -q", ["x.lp"]),
    ("cutoff", "optimize --board zcu104 --dataset MUTAG --minimize energy --method ilp --write-lp cut.mps --cutoff --fix nee.form=factored --fix landmarks "
               "--fix dim --fix clock_mhz --fix units --fix lshu.pe --fix hue.pe --fix kse.pe --fix place.h --fix nee.port_bits --fix nee.lanes -q", ["cut.mps"]),
    ("points", "study export kept.db --format csv --points 1-3 -o points.csv", ["points.csv"]),
    ("saved experiment", "boards show zcu104 --save-experiment saved.yaml -q", ["saved.yaml"]),
    ("run", "run plan.yaml", ["listed.csv"]),
    ("written study", "study show kept.db --format json -o shown.json", ["shown.json"]),
]

NEW = {"rtl", "generate"}  # they need a new folder


def prepare(bench, npz):
    """Writes the inputs of these commands, in addition to the common inputs."""
    def write(name, data):
        with open(f"{bench.inputs}/{name}", "wb") as stream:
            stream.write(data)
    bench.run("train --dataset TOY --set nee.form=resident --set nee.precision=int8 --set landmarks=8 --set dim=256 -o resident.npz -q".split(), bench.inputs, check=True)
    write("load.txt", b"DMA.LOAD a -> c\n")
    npz(f"{bench.inputs}/arrays.npz")
    write("plan.yaml", b"command: boards\noperands: [list]\nformat: csv\noutput: listed.csv\n")
