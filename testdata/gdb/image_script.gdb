# The script's image command: a picture that gdb writes, a watchpoint on a texel.
source testdata/gdb/settings
set trace-commands off
shell bin/simtgdb gdbscript > bin/simtgdb_image.py
source bin/simtgdb_image.py
set trace-commands on
directory testdata/spirv/src
target remote | bin/simtgdb serve --stdio --launch testdata/spirv/launch/sobel.json
image
image watch edges 16 16
continue
image edges bin/edges.png
python print(open("bin/edges.png", "rb").read(8))
kill
