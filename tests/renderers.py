"""Draws every figure with the programs that people draw an SVG with, and holds that each label stands
where the SVG says (to 2 % of the width) and that each band is pale.

`python3 tests/renderers.py FOLDER…`, the folders of the figures; `make test-renderers` installs what
it can. Each program draws a figure whose labels have a colour each, of which the picture tells where
they are. It prints each program with its version and the largest distance, and fails below five."""

import importlib.metadata
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree

import pymupdf as fitz
import numpy

SVG = "{http://www.w3.org/2000/svg}"
WIDE = 1200  # pixels of a picture from left to right
MOST = 0.02  # of the width

tree.register_namespace("", SVG[1:-1])


def picture(pixmap):
    return numpy.frombuffer(pixmap.samples, numpy.uint8).reshape(pixmap.h, pixmap.w, pixmap.n)[:, :, :3]


def of_pdf(data):
    page = fitz.open(stream=data, filetype="pdf")[0]
    return picture(page.get_pixmap(matrix=fitz.Matrix(WIDE / page.rect.width, WIDE / page.rect.width)))


def of_png(data):
    return picture(fitz.Pixmap(fitz.Pixmap(data), 0) if fitz.Pixmap(data).alpha else fitz.Pixmap(data))


def by_svglib(file, size):
    from reportlab.graphics import renderPDF
    from svglib.svglib import svg2rlg

    return of_pdf(renderPDF.drawToString(svg2rlg(str(file))))


def by_cairosvg(file, size):
    import cairosvg

    return of_pdf(cairosvg.svg2pdf(url=str(file)))


def by_resvg(file, size):
    import resvg_py

    return of_png(bytes(resvg_py.svg_to_bytes(svg_path=str(file), width=WIDE)))


def by_typst(file, size):
    import typst

    main = file.with_suffix(".typ")
    main.write_text(f'#set page(width: {size[0]}pt, height: {size[1]}pt, margin: 0pt)\n#image("{file.name}", width: 100%)')
    return of_pdf(typst.compile(str(main), root=str(file.parent)))


def by_weasyprint(file, size):
    import weasyprint

    page = f"<style>@page {{ size: {size[0]}px {size[1]}px; margin: 0 }} body {{ margin: 0 }} img {{ display: block; width: {size[0]}px }}</style><img src='{file.name}'>"
    return of_pdf(weasyprint.HTML(string=page, base_url=str(file.parent) + "/").write_pdf())


def by_pymupdf(file, size):
    page = fitz.open(str(file))[0]
    return picture(page.get_pixmap(matrix=fitz.Matrix(WIDE / page.rect.width, WIDE / page.rect.width)))


def by_rsvg_convert(file, size):
    made = subprocess.run(["rsvg-convert", "-f", "pdf", str(file)], capture_output=True, check=True)
    return of_pdf(made.stdout)


def by_qt(file, size):
    # A program of its own: it ends when its modules cannot be loaded.
    made = file.with_suffix(".qt.png")
    code = f"""
import os; os.environ["QT_QPA_PLATFORM"] = "offscreen"
from PySide6 import QtCore, QtGui, QtSvg
app = QtGui.QGuiApplication([])
image = QtGui.QImage({WIDE}, {round(WIDE * size[1] / size[0])}, QtGui.QImage.Format_RGB32)
image.fill(QtCore.Qt.white)
painter = QtGui.QPainter(image); QtSvg.QSvgRenderer({str(file)!r}).render(painter); painter.end()
image.save({str(made)!r})
"""
    subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    return of_png(made.read_bytes())


def by_chromium(file, size):
    made, high = file.with_suffix(".web.png"), round(WIDE * size[1] / size[0])
    page = file.with_suffix(".html")
    page.write_text(f"<meta charset=utf-8><body style='margin:0'><img style='display:block' width={WIDE} src='{file.name}'>")
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--screenshot={made}", f"--window-size={WIDE},{high}", str(page)]
    subprocess.run(command, capture_output=True, check=True, timeout=60)
    return of_png(made.read_bytes())


CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome") or ""


def version(package):
    return lambda: importlib.metadata.version(package)


def said(program):
    def first():
        told = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
        return re.search(r"[\d.]+", told.stdout)[0]

    return first


PROGRAMS = {
    "svglib": (by_svglib, version("svglib")),
    "resvg (resvg-py)": (by_resvg, version("resvg-py")),
    "Typst": (by_typst, version("typst")),
    "CairoSVG": (by_cairosvg, version("cairosvg")),
    "rsvg-convert": (by_rsvg_convert, said("rsvg-convert")),
    "WeasyPrint": (by_weasyprint, version("weasyprint")),
    "PyMuPDF": (by_pymupdf, version("pymupdf")),
    "Qt (PySide6)": (by_qt, version("PySide6-Essentials")),
    "Chromium": (by_chromium, said(CHROMIUM)),
}


def colours(count):
    """Colours far from each other and from those of bands. A part of each is 0, so that none of them
    blended with paper is another one."""
    steps = range(0, 256, 50)
    found = [(r, g, b) for r in steps for g in steps for b in steps if 0 in (r, g, b)]
    bands = [(0, 114, 178), (213, 94, 0), (0, 158, 115), (204, 121, 167), (86, 180, 233), (230, 159, 0)]
    found = [one for one in found if all(max(abs(a - b) for a, b in zip(one, band)) > 40 for band in bands)]
    return found[1 : count + 1]


AT_ONCE = 60


class Figure:
    """A figure in which each label has its colour, and beside labels only translucent areas."""

    def __init__(self, text):
        root = tree.fromstring(text)
        self.size = [float(root.get(side).removesuffix("mm")) for side in ("width", "height")]
        self.units = float(root.get("viewBox").split()[2])
        self.labels, self.bands = [], []
        texts = [element for element in root if element.tag == SVG + "text"]
        for element in list(root):
            is_translucent = element.get("fill-opacity") or element.get("opacity", "1") != "1"
            is_paper = element.tag == SVG + "rect" and element.get("width") == root.get("viewBox").split()[2]
            if is_translucent and element.tag != SVG + "text":
                self.bands.append(tuple(bytes.fromhex(element.get("fill")[1:])))
            elif element not in texts and not is_paper:
                root.remove(element)
        self.rounds = []
        for start in range(0, len(texts), AT_ONCE):
            drawn = texts[start : start + AT_ONCE]
            for element, (red, green, blue) in zip(drawn, colours(len(drawn))):
                element.set("fill", f"#{red:02x}{green:02x}{blue:02x}")
            others = [element for element in texts if element not in drawn]
            for element in others:
                root.remove(element)
            self.rounds.append((tree.tostring(root, encoding="unicode"), drawn))
            for element in others:
                root.append(element)

    def wrong(self, draw, place):
        """The largest distance in parts of the width, and what is wrong."""
        worst, wrong = 0.0, []
        for number, (text, labels) in enumerate(self.rounds):
            file = pathlib.Path(place) / f"figure{number}.svg"
            file.write_text(text)
            pixels = draw(file, self.size).astype(int)
            scale = pixels.shape[1] / self.units
            # The edge of a stroke is blended with paper: its colour is that of the stroke, thinned.
            dark = 255 - pixels
            spots = numpy.argwhere(dark.max(axis=2) > 100)
            inks = dark[spots[:, 0], spots[:, 1]]
            inks = 255 - 255 * inks / inks.max(axis=1, keepdims=True)
            nearest = (inks + 25) // 50
            keys = numpy.where(abs(inks - 50 * nearest).max(axis=1) < 14, nearest @ [36, 6, 1], -1)
            for colour in set(self.bands):
                if (abs(pixels - colour).max(axis=2) < 8).sum() > 200:
                    wrong.append(f"a band of {colour} is not pale")
            for element, colour in zip(labels, colours(len(labels))):
                label = Label(element, scale)
                distance, complaint = label.seen(spots[keys == numpy.array(colour) // 50 @ [36, 6, 1]])
                worst = max(worst, distance / pixels.shape[1])
                if complaint or distance > MOST * pixels.shape[1]:
                    wrong.append(f"{label.text!r}: {complaint or f'{distance:.0f} pixels away'}")
        return worst, wrong


class Label:
    def __init__(self, element, scale):
        self.text = element.text
        self.size = float(element.get("font-size")) * scale
        x = float(element.get("x")) * scale
        y = (float(element.get("y")) + float(element.get("dy", 0))) * scale
        # Half of a capital letter above the base line.
        self.place, self.end = (x, y - 0.36 * self.size), element.get("text-anchor")
        self.is_upwards = element.get("transform") is not None
        if self.is_upwards:
            _, px, py = (float(number) for number in re.findall(r"-?[\d.]+", element.get("transform")))
            px, py = px * scale, py * scale
            dx, dy = self.place[0] - px, self.place[1] - py
            self.place = (px + dy, py - dx)

    def seen(self, spots):
        """How far the label is from its place in pixels, and what is wrong with its form."""
        down, across = spots.T
        if len(across) < 3:
            return 0.0, "is not drawn"
        left, right = numpy.percentile(across, [1, 99])
        top, bottom = numpy.percentile(down, [1, 99])
        begin, end = (bottom, top) if self.is_upwards else (left, right)
        along = {"start": begin, "middle": (begin + end) / 2, "end": end}[self.end]
        beside = (left + right) / 2 if self.is_upwards else (top + bottom) / 2
        if self.is_upwards:
            distance = max(abs(along - self.place[1]), abs(beside - self.place[0]))
        else:
            distance = max(abs(along - self.place[0]), abs(beside - self.place[1]))
        # A sign that a font lacks is a black box: no stroke is so wide.
        side = max(3, int(0.32 * self.size))
        ink = numpy.zeros((down.max() - down.min() + side + 1, across.max() - across.min() + side + 1))
        ink[down - down.min(), across - across.min()] = 1
        sums = numpy.pad(ink.astype(int).cumsum(0).cumsum(1), ((1, 0), (1, 0)))
        full = sums[side:, side:] - sums[:-side, side:] - sums[side:, :-side] + sums[:-side, :-side]
        is_box = not set(self.text) <= set("■") and (full == side * side).any()
        return float(distance), "has a black box" if is_box else ""


PLANTED = {
    "dy": ("Qt (PySide6)", lambda text: re.sub(r'(<text [^>]*?y=")(\d+)"', lambda m: f'{m[1]}{int(m[2]) - 60}" dy="60"', text)),
    "opacity": ("svglib", lambda text: text.replace("fill-opacity", "opacity")),
    "superscript": ("svglib", lambda text: re.sub(r">10</text>", ">10⁶</text>", text)),
    "narrow space": ("svglib", lambda text: re.sub(r">10</text>", ">10\u202f000</text>", text)),
}


def main(folders):
    files = [file for folder in folders for file in sorted(pathlib.Path(folder).glob("*.svg"))]
    texts = {file.name: file.read_text() for file in files}
    assert texts, folders
    ran, failed = {}, []
    with tempfile.TemporaryDirectory() as place:
        for name, (draw, told) in PROGRAMS.items():
            try:
                release = told()
                draw_one = Figure(next(iter(texts.values())))
                draw_one.wrong(draw, place)
            except Exception as error:
                print(f"{name}: skipped ({type(error).__name__}: {str(error).splitlines()[0][:80] if str(error) else ''})")
                continue
            largest = 0.0
            for figure, text in texts.items():
                worst, wrong = Figure(text).wrong(draw, place)
                largest = max(largest, worst)
                failed += [f"{name} {release}: {figure}: {what}" for what in wrong]
            ran[name] = draw
            print(f"{name} {release}: {len(texts)} figures, the largest distance is {100 * largest:.2f} % of the width", flush=True)
        banded = next(text for text in texts.values() if "fill-opacity" in text and ">10</text>" in text)
        for slip, (name, plant) in PLANTED.items():
            if name in ran:
                assert plant(banded) != banded, slip
                _, wrong = Figure(plant(banded)).wrong(ran[name], place)
                print(f"{name} with a planted {slip}: {len(wrong)} labels or bands are wrong")
                if not wrong:
                    failed.append(f"{name}: a planted {slip} is not seen")
    print("\n".join(failed[:40]))
    if len(ran) < 5:
        failed.append(f"{len(ran)} programs ran; five are needed")
        print(failed[-1])
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
