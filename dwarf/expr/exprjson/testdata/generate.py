#!/usr/bin/env python3
"""Writes the cases of "simtgdb dwarf eval" and the results they must have.

The expected results are stated in values.py and locations.py: by hand from the
text of DWARF 5 and of "DWARF Extensions For Heterogeneous Debugging", or by the
plainest arithmetic on integers. Nothing of the program takes part, not even its
table of operations.

    python3 generate.py          # rewrites *.in.json and *.out.json beside it
"""
import json
import os

import values  # noqa: F401  adds its cases
import locations  # noqa: F401
from cases import FILES

total = 0
seen = set()
for name, (cases, results) in FILES.items():
    for c in cases:
        assert c["id"] not in seen, c["id"]
        seen.add(c["id"])
    total += len(cases)
    here = os.path.dirname(os.path.abspath(__file__))
    for suffix, key, items in ((".in.json", "cases", cases), (".out.json", "results", results)):
        with open(os.path.join(here, name + suffix), "w") as f:
            f.write('{"%s": [\n' % key)
            f.write(",\n".join(" " + json.dumps(i) for i in items))
            f.write("\n]}\n")
print(total, "cases")
