#!/usr/bin/env python3
"""picture: do the commands of README.md still give the pictures that it shows? `make` takes them from what they give now.
Usage: picture.py LATHE [make]"""
import os, re, struct, subprocess, sys, tempfile, zlib

TIMES = 2                # a pixel is that many wide and high in the .png
NEAR = 1                 # a device may round the other way


def read_pgm(name):
    head, width, height, most, samples = re.match(rb"(P5)\s(\d+)\s(\d+)\s(\d+)\s(.*)", open(name, "rb").read(), re.S).groups()
    return int(width), int(height), samples


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def write_png(name, width, height, samples):
    rows = [samples[y * width:(y + 1) * width] for y in range(height)]
    wide = [b"\0" + bytes(p for p in row for _ in range(TIMES)) for row in rows for _ in range(TIMES)]
    head = struct.pack(">IIBBBBB", width * TIMES, height * TIMES, 8, 0, 0, 0, 0)
    with open(name, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"".join(wide), 9)) + chunk(b"IEND", b""))


def read_png(name):
    data, at, packed = open(name, "rb").read(), 8, b""
    while at < len(data):
        n, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + n]
        if kind == b"IHDR":
            width, height = struct.unpack(">II", body[:8])
        packed += body if kind == b"IDAT" else b""
        at += n + 12
    rows = zlib.decompress(packed)
    rows = [rows[y * (width + 1) + 1:(y + 1) * (width + 1)] for y in range(0, height, TIMES)]
    return width // TIMES, height // TIMES, b"".join(row[::TIMES] for row in rows)


def main():
    lathe, make = os.path.realpath(sys.argv[1]), sys.argv[2:] == ["make"]
    readme = open("README.md").read()
    block = next(b for b in re.findall(r"```lathe\n(.*?)```", readme, re.S) if ".pgm" in b)
    shown = re.findall(r"!\[[^]]*\]\((\S+\.png)\)", readme)
    with tempfile.TemporaryDirectory() as folder:
        for name in os.listdir("."):
            os.symlink(os.path.abspath(name), os.path.join(folder, name))
        lines = "".join(line[2:] + "\n" for line in block.splitlines() if line.startswith("> "))
        subprocess.run([lathe, "--no-init", "-q"], input=lines, text=True, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        made = [read_pgm(os.path.join(folder, name)) for name in re.findall(r"--save (\S+\.pgm)", block)]
    assert len(made) == len(shown) > 0, "README.md shows as many pictures as its commands make"
    for picture, name in zip(made, shown):
        if make:
            write_png(name, *picture)
        width, height, samples = read_png(name)
        far = sum(abs(a - b) > NEAR for a, b in zip(samples, picture[2]))
        assert (width, height) == picture[:2] and not far, f"{name}: {far} of {width * height} pixels differ; picture.py LATHE make"
    assert sum(os.path.getsize(name) for name in shown) <= 40 << 10, "the pictures are larger than 40 KiB"


main()
