"""A flame graph: where the processor time of a process goes, from `perf record --call-graph fp`."""

import collections
import html
import re
import subprocess
import zlib

WIDTH, ROW, SMALLEST = 1200, 17, 0.3
OFFSET = re.compile(r"\+0x[0-9a-f]+$")


def record(pid, seconds, path):
    subprocess.run(["perf", "record", "-q", "-e", "cpu-clock", "-F", "499", "--call-graph", "fp", "-p", str(pid), "-o", path, "--",
                    "sleep", str(seconds)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def plain(name):
    """A function without its arguments and templates: the picture has no room for them."""
    name = OFFSET.sub("", name)
    while True:
        shorter = re.sub(r"<[^<>]*>|\([^()]*\)", "", name)
        if shorter == name:
            return name.replace("footfall::", "").split(" ")[-1] or "?"
        name = shorter


def stacks(path):
    """(thread, frames from the outermost on) -> samples."""
    said = subprocess.run(["perf", "script", "-i", path, "-F", "comm,ip,sym"], capture_output=True, text=True, check=True).stdout
    counts = collections.Counter()
    for block in said.split("\n\n"):
        lines = block.strip("\n").split("\n")
        if len(lines) < 2:
            continue
        frames = [plain(line.split(None, 1)[1]) for line in lines[1:] if len(line.split(None, 1)) == 2]
        frames = [frame for frame in frames if frame not in ("[unknown]", "?")]
        counts[(lines[0].strip(), *reversed(frames))] += 1
    return counts


def tree_of(counts):
    root = {"name": "all", "samples": 0, "children": {}}
    for frames, samples in counts.items():
        node = root
        node["samples"] += samples
        for frame in frames:
            node = node["children"].setdefault(frame, {"name": frame, "samples": 0, "children": {}})
            node["samples"] += samples
    return root


def boxes(node, left, depth, scale):
    yield node, left, depth
    for child in sorted(node["children"].values(), key=lambda each: each["name"]):
        if child["samples"] * scale >= SMALLEST:
            yield from boxes(child, left, depth + 1, scale)
        left += child["samples"] * scale


def draw(path, title, into):
    """Writes the picture and answers the share of each thread."""
    root = tree_of(stacks(path))
    if root["samples"] == 0:
        raise RuntimeError("perf saw nothing of the server")
    scale = WIDTH / root["samples"]
    all_boxes = list(boxes(root, 0.0, 0, scale))
    height = (max(depth for _, _, depth in all_boxes) + 2) * ROW + 10
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="11">',
             f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>', f'<text x="6" y="14" font-size="13">{html.escape(title)}</text>']
    for node, left, depth in all_boxes:
        width, top = node["samples"] * scale, height - (depth + 1) * ROW - 4
        share = 100 * node["samples"] / root["samples"]
        hue = 20 + zlib.crc32(node["name"].encode()) % 35
        lines.append(f'<g><title>{html.escape(node["name"])}: {share:.1f} %</title><rect x="{left:.1f}" y="{top}" width="{max(width - 0.5, 0.2):.1f}" '
                     f'height="{ROW - 1}" fill="hsl({hue},85%,68%)"/>')
        letters = int((width - 6) / 6)
        if letters > 3:
            text = node["name"] if len(node["name"]) <= letters else node["name"][:letters - 1] + "…"
            lines.append(f'<text x="{left + 3:.1f}" y="{top + 12}">{html.escape(text)}</text>')
        lines.append("</g>")
    with open(into, "w", encoding="utf-8") as file:
        file.write("\n".join([*lines, "</svg>", ""]))
    return {name: child["samples"] / root["samples"] for name, child in root["children"].items()}
