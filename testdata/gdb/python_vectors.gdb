# The printers of the Python script: vectors of OpenCL.
source testdata/gdb/settings
directory testdata/debug
shell bin/simtgdb gdbscript > bin/simtgdb_vectors.py
source bin/simtgdb_vectors.py
target remote | bin/simtgdb serve --stdio --code-object testdata/debug/co/vectors.O0.co --kernel vectors --grid 64 --block 64 --arg buf:f32[256]=iota --arg buf:i32[128]=zero
break 19 if $lane == 5
continue
print v
print w
print bytes
print v.x
print quads[1]@2
kill
