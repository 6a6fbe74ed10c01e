# A picture of edges that is full inside: who wrote a texel that has no edge, and with what.
source testdata/gdb/settings
directory testdata/spirv/src
target remote | bin/simtgdb serve --stdio --stop-at-end always --launch testdata/spirv/launch/sobel.json
monitor image
continue
monitor image edges
monitor image edges at 16 16
watch *(float *) 0x7e0010040840
reverse-continue
info locals
list 12,17
kill
