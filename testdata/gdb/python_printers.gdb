# The printers of the Python script: halves, bfloat16s and vectors in the classes of HIP's headers.
# In lane 5 the number is 5. print/r shows what is there.
source testdata/gdb/settings
directory testdata/debug
shell bin/simtgdb gdbscript > bin/simtgdb_printers.py
source bin/simtgdb_printers.py
target remote | bin/simtgdb serve --stdio --code-object testdata/debug/co/narrow.O0.co --kernel narrow --grid 64 --block 64 --arg buf:f32[64]=iota --arg buf:f32[64]=zero
break 58 if $lane == 5
continue
print h
print b
print plain
print brain
print v
print s
print/r h
print $_half(packed)
print $_bfloat16(packed >> 16)
info locals
kill
