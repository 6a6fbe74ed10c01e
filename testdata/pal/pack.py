#!/usr/bin/env python3
"""Appends PAL metadata to LLVM IR: the module of IR, and a Python literal with
the metadata (which has hexadecimal numbers and comments), are read; the module
with the metadata in MessagePack is written to standard output.

    usage: pack.py MODULE.ll METADATA.pal
"""
import ast
import struct
import sys


def pack(v):
    if v is None or isinstance(v, bool):
        return {None: b"\xc0", False: b"\xc2", True: b"\xc3"}[v]
    if isinstance(v, int):
        if v < 0x80:
            return struct.pack(">B", v)
        for tag, form, bits in ((0xCC, ">BB", 8), (0xCD, ">BH", 16), (0xCE, ">BI", 32), (0xCF, ">BQ", 64)):
            if v >> bits == 0:
                return struct.pack(form, tag, v)
    if isinstance(v, str):
        b = v.encode()
        head = struct.pack(">B", 0xA0 | len(b)) if len(b) < 32 else struct.pack(">BB", 0xD9, len(b))
        return head + b
    if isinstance(v, list):
        head = struct.pack(">B", 0x90 | len(v)) if len(v) < 16 else struct.pack(">BH", 0xDC, len(v))
        return head + b"".join(map(pack, v))
    if isinstance(v, dict):
        head = struct.pack(">B", 0x80 | len(v)) if len(v) < 16 else struct.pack(">BH", 0xDE, len(v))
        return head + b"".join(pack(k) + pack(v[k]) for k in sorted(v))
    raise ValueError(v)


def main():
    module, metadata = sys.argv[1:]
    with open(metadata) as f:
        blob = pack(ast.literal_eval(f.read()))
    with open(module) as f:
        sys.stdout.write(f.read())
    text = "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else "\\%02X" % b for b in blob)
    sys.stdout.write('\n!amdgpu.pal.metadata.msgpack = !{!9999}\n!9999 = !{!"%s"}\n' % text)


main()
