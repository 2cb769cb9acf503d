"""Sets of labelled graphs: reads common formats, writes those of nysx-dse.

    graphs = Graphs.read_tudataset("MUTAG.zip")           # or .from_networkx(list, classes), .from_pyg(dataset)
    graphs.write_npz("mutag.npz")                          # or write_csv(folder), write_graphml(file), write_tudataset(folder)

nysx-dse reads the same content from every format: the hash is equal, so a matching shipped profile is found.
"""
from __future__ import annotations

import csv
import io
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterable, Optional, Sequence, Union
from xml.sax.saxutils import quoteattr

import numpy as np

PathLike = Union[str, Path]

__all__ = ["Graphs", "sklearn_split", "write_split"]


def _parts(path: Path) -> dict[str, str]:
    """The texts of the files in a folder or archive, by file name without its path."""
    if path.is_dir():
        return {entry.name: entry.read_text(encoding="utf-8") for entry in sorted(path.iterdir()) if entry.suffix == ".txt"}
    with zipfile.ZipFile(path) as archive:
        return {name.replace("\\", "/").rsplit("/", 1)[-1]: archive.read(name).decode("utf-8")
                for name in archive.namelist() if name.endswith(".txt")}


@dataclass(repr=False)
class Graphs:
    """All graphs concatenated: node v of graph g is ptr[g] + v."""

    name: str
    ptr: np.ndarray  # graphs + 1
    arcs: np.ndarray  # 2 x arcs: both directions of an undirected edge
    y: np.ndarray  # graphs: classes
    node_labels: Optional[np.ndarray] = None  # nodes
    x: Optional[np.ndarray] = None  # nodes x attributes

    def __post_init__(self) -> None:
        self.ptr = np.asarray(self.ptr, dtype=np.int64)
        self.arcs = np.asarray(self.arcs, dtype=np.int64).reshape(2, -1)
        self.y = np.asarray(self.y)
        if len(self.ptr) != len(self.y) + 1:
            raise ValueError(f"{len(self.ptr) - 1} graphs, but {len(self.y)} class labels")
        for what, array in (("node labels", self.node_labels), ("rows of attributes", self.x)):
            if array is not None and len(array) != self.ptr[-1]:
                raise ValueError(f"{self.ptr[-1]} nodes, but {len(array)} {what}")

    def __len__(self) -> int:
        return len(self.y)

    def __repr__(self) -> str:
        more = [] if self.node_labels is None else [f"{len(np.unique(self.node_labels))} node labels"]
        more += [] if self.x is None else [f"{self.x.shape[1]} attributes"]
        return f"Graphs({self.name!r}: " + ", ".join([f"{len(self)} graphs", f"{len(np.unique(self.y))} classes", f"{int(self.ptr[-1])} nodes",
                                                      f"{self.arcs.shape[1]} arcs", *more]) + ")"

    @property
    def batch(self) -> np.ndarray:
        """The graph of each node."""
        return np.repeat(np.arange(len(self)), np.diff(self.ptr))

    # ---- from ----

    @classmethod
    def read_tudataset(cls, path: PathLike) -> "Graphs":
        """Reads a folder or .zip with NAME_A.txt and its companion files."""
        texts = _parts(Path(path))
        name = next(name[:-len("_A.txt")] for name in texts if name.endswith("_A.txt"))

        def numbers(part: str, kind: type) -> Optional[np.ndarray]:
            text = texts.get(f"{name}_{part}.txt")
            if text is None or not text.strip(): # no numbers: NumPy warns of it
                return None if text is None else np.zeros(0, kind)
            return np.loadtxt(io.StringIO(text), delimiter=",", dtype=kind, ndmin=1)

        indicator, y = numbers("graph_indicator", np.int64), numbers("graph_labels", np.int64)
        if indicator is None or y is None:
            raise ValueError(f"{path}: no {name}_graph_indicator.txt or {name}_graph_labels.txt")
        ptr = np.searchsorted(indicator, np.arange(1, len(y) + 2))
        arcs = numbers("A", np.int64)
        x = numbers("node_attributes", np.float64)
        return cls(name, ptr, arcs.reshape(-1, 2).T - 1 if arcs is not None else np.zeros((2, 0)), y, numbers("node_labels", np.int64),
                   x.reshape(int(ptr[-1]), -1) if x is not None else None)

    @classmethod
    def from_networkx(cls, graphs: Sequence[Any], classes: Sequence[int], *, name: str = "graphs", node_label: Optional[str] = "label",
                      attributes: Sequence[str] = ()) -> "Graphs":
        """Converts NetworkX graphs; `node_label` and `attributes` name node data (a label that no node has is ignored)."""
        ptr, arcs, labels, rows = [0], [], [], []
        for graph in graphs:
            place = {node: ptr[-1] + i for i, node in enumerate(graph.nodes)}
            for node, data in graph.nodes(data=True):
                if node_label is not None and node_label in data:
                    labels.append(data[node_label])
                rows.append([float(data[key]) for key in attributes])
            for source, target in graph.edges():
                arcs.append((place[source], place[target]))
                if not graph.is_directed() and source != target:
                    arcs.append((place[target], place[source]))
            ptr.append(ptr[-1] + len(place))
        if labels and len(labels) != ptr[-1]:
            raise ValueError(f"only {len(labels)} of {ptr[-1]} nodes have {node_label!r}")
        return cls(name, np.array(ptr), np.array(arcs, dtype=np.int64).reshape(-1, 2).T, np.array(classes),
                   np.array(labels) if labels else None, np.array(rows) if attributes else None)

    @classmethod
    def from_pyg(cls, dataset: Iterable[Any], *, name: str = "graphs", one_hot_labels: bool = True) -> "Graphs":
        """Converts PyTorch Geometric data: `edge_index`, `y`, and `x`, which becomes labels if all of its rows are one-hot."""
        ptr, arcs, classes, rows = [0], [], [], []
        for data in dataset:
            arcs.append(np.asarray(data.edge_index) + ptr[-1])
            classes.append(int(np.asarray(data.y).reshape(-1)[0]))
            if getattr(data, "x", None) is not None:
                rows.append(np.asarray(data.x, dtype=np.float64))
            ptr.append(ptr[-1] + int(data.num_nodes))
        x = np.concatenate(rows) if rows else None
        labels = None
        if x is not None and one_hot_labels and np.isin(x, (0, 1)).all() and (x.sum(axis=1) == 1).all():
            labels, x = x.argmax(axis=1), None
        return cls(name, np.array(ptr), np.concatenate(arcs, axis=1) if arcs else np.zeros((2, 0)), np.array(classes), labels, x)

    @classmethod
    def from_ogb(cls, dataset: Iterable[Any], *, name: str = "graphs") -> "Graphs":
        """Converts OGB's library-agnostic graph sets: pairs of a dict (`edge_index`, `node_feat`, `num_nodes`) and labels, the first of which is the
        class. A node's first feature is its label, for example the atomic number in molecules."""
        ptr, arcs, classes, labels = [0], [], [], []
        for graph, label in dataset:
            arcs.append(np.asarray(graph["edge_index"], dtype=np.int64) + ptr[-1])
            classes.append(int(np.asarray(label).reshape(-1)[0]))
            if graph.get("node_feat") is not None:
                labels.append(np.asarray(graph["node_feat"])[:, 0].astype(np.int64))
            ptr.append(ptr[-1] + int(graph["num_nodes"]))
        return cls(name, np.array(ptr), np.concatenate(arcs, axis=1) if arcs else np.zeros((2, 0)), np.array(classes), np.concatenate(labels) if labels else None)

    # ---- to ----

    def write_npz(self, path: PathLike) -> None:
        """Writes CSR arrays: ptr, indptr, indices, y, and, if present, node_labels and x."""
        order = np.lexsort((self.arcs[1], self.arcs[0]))
        indptr = np.concatenate(([0], np.cumsum(np.bincount(self.arcs[0], minlength=int(self.ptr[-1])))))
        more = {key: value for key, value in (("node_labels", self.node_labels), ("x", self.x)) if value is not None}
        np.savez_compressed(path, ptr=self.ptr, indptr=indptr, indices=self.arcs[1][order], y=self.y, **more)

    def _edges(self) -> np.ndarray:
        """Each edge once, as a pair of nodes."""
        return np.unique(np.sort(self.arcs, axis=0), axis=1).T

    def _check_undirected(self, form: str) -> None:
        pairs = {(int(a), int(b)) for a, b in self.arcs.T}
        if any((b, a) not in pairs for a, b in pairs):
            raise ValueError(f"{form} writes undirected edges, and some arcs have none the other way; write_npz keeps them")

    def write_csv(self, folder: PathLike) -> None:
        """Writes graphs.csv, nodes.csv and edges.csv."""
        self._check_undirected("write_csv")
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)

        def write(name: str, head: list[str], rows: Iterable[Sequence[Any]]) -> None:
            with open(folder / name, "w", encoding="utf-8", newline="") as stream:
                out = csv.writer(stream, lineterminator="\n")
                out.writerow(head)
                out.writerows(rows)

        count = 0 if self.x is None else self.x.shape[1]
        write("graphs.csv", ["id", "label"], zip(range(len(self)), self.y.tolist()))
        write("nodes.csv", ["id", "graph"] + (["label"] if self.node_labels is not None else []) + [f"x{i}" for i in range(count)],
              ([v, g] + ([self.node_labels[v]] if self.node_labels is not None else []) + [repr(float(self.x[v, i])) for i in range(count)]
               for v, g in enumerate(self.batch.tolist())))
        write("edges.csv", ["source", "target"], self._edges().tolist())

    def write_graphml(self, path: PathLike) -> None:
        """Writes one file with a <graph> element per graph."""
        self._check_undirected("write_graphml")
        edges, batch = self._edges(), self.batch
        first = np.searchsorted(batch[edges[:, 0]] if len(edges) else np.zeros(0), np.arange(len(self) + 1))
        count = 0 if self.x is None else self.x.shape[1]
        with open(path, "w", encoding="utf-8") as out:
            out.write('<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
                      '<key id="class" for="graph" attr.name="label" attr.type="string"/>\n')
            if self.node_labels is not None:
                out.write('<key id="label" for="node" attr.name="label" attr.type="string"/>\n')
            for i in range(count):
                out.write(f'<key id="x{i}" for="node" attr.name="x{i}" attr.type="double"/>\n')
            for g in range(len(self)):
                out.write(f'<graph id="g{g}" edgedefault="undirected"><data key="class">{self.y[g]}</data>\n')
                for v in range(int(self.ptr[g]), int(self.ptr[g + 1])):
                    label = "" if self.node_labels is None else f'<data key="label">{self.node_labels[v]}</data>'
                    more = "".join(f'<data key="x{i}">{float(self.x[v, i])!r}</data>' for i in range(count))
                    out.write(f"<node id={quoteattr(f'n{v}')}>{label}{more}</node>\n")
                for a, b in edges[first[g]:first[g + 1]].tolist():
                    out.write(f'<edge source="n{a}" target="n{b}"/>\n')
                out.write("</graph>\n")
            out.write("</graphml>\n")

    def write_tudataset(self, folder: PathLike) -> None:
        """Writes NAME_A.txt and its companion files; NAME is the folder's name."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)

        def write(part: str, lines: Iterable[str]) -> None:
            (folder / f"{folder.name}_{part}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

        order = np.lexsort((self.arcs[1], self.arcs[0]))
        write("A", (f"{a}, {b}" for a, b in (self.arcs[:, order].T + 1).tolist()))
        write("graph_indicator", (str(g + 1) for g in self.batch.tolist()))
        write("graph_labels", (str(int(c)) for c in self.y))
        if self.node_labels is not None:
            write("node_labels", (str(int(label)) for label in self.node_labels))
        if self.x is not None:
            write("node_attributes", (", ".join(repr(float(v)) for v in row) for row in self.x))


def sklearn_split(items: int, *, test_size: float = 0.2, random_state: int = 42) -> np.ndarray:
    """The indices that scikit-learn's `train_test_split(range(items), test_size=…, random_state=…)` holds out, in ascending order.

    `test_size` is a share of the items (a float between 0 and 1) or their number (an int). ValueError if it leaves no item on either side. For `stratify`
    call `train_test_split` itself, and give `write_split` the indices that it holds out."""
    whole = isinstance(test_size, (int, np.integer)) and not isinstance(test_size, bool)
    if not (1 <= test_size < items if whole else isinstance(test_size, (float, np.floating)) and 0 < test_size < 1):
        raise ValueError(f"test_size={test_size!r}: must be a number of items from 1 to {items - 1}, or a share between 0 and 1")
    held_out = int(test_size) if whole else int(np.ceil(items * test_size))
    if held_out >= items:
        raise ValueError(f"test_size={test_size!r}: leaves none of {items} items to train on")
    return np.sort(np.random.RandomState(random_state).permutation(items)[:held_out])


def write_split(path: PathLike, test: Iterable[int]) -> None:
    """Writes a file for `train --split`: the indices (from 0) of the held-out items, one per line."""
    Path(path).write_text("".join(f"{int(index)}\n" for index in test), encoding="ascii")
