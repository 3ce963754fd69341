#!/usr/bin/env python3
"""Generates photos, and writes the lists of their URLs that the benchmark's programs read.

    files.py FOLDER COUNT BYTES ADDRESS OUTPUT

Writes COUNT files of BYTES bytes below FOLDER/files. Each begins like a JPEG of 1200 × 800 pixels, followed by random bytes, which are
the same in every run. FOLDER/list has one URL per line. FOLDER/curl contains the same URLs as a curl configuration, for files below OUTPUT.
"""

import os
import random
import sys

HEADER = bytes.fromhex("ffd8ffe000104a46494600010100000100010000" "ffc0000b08032004b001011100" "ffda0008010100003f00")


def main():
  if len(sys.argv) != 6:
    sys.exit(__doc__)
  folder, count, size, address, output = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], sys.argv[5]
  os.makedirs(f"{folder}/files", exist_ok=True)
  generator = random.Random(2026)
  with open(f"{folder}/list", "w") as plain, open(f"{folder}/curl", "w") as curl:
    for index in range(count):
      name = f"{index:06}.jpg"
      with open(f"{folder}/files/{name}", "wb") as file:
        file.write(HEADER + generator.randbytes(size - len(HEADER)))
      plain.write(f"{address}/{name}\n")
      curl.write(f'url = "{address}/{name}"\noutput = "{output}/{name}"\n')


if __name__ == "__main__":
  main()
