# Structures of OpenCL C whose members lie apart, close or in one place, in lane 2; enumerators.
source testdata/gdb/settings
directory testdata/spirv/src
target remote | bin/simtgdb serve --stdio --kernel cl_layout --grid 8 --block 8 --arg buf:i32[8]=zero testdata/spirv/cl_layout.cl.spv
break 36 if $lane == 2
continue
print apart
print place
print close
print color
print sizeof(struct Apart)
print sizeof(struct Close)
print &apart.c
ptype union Place
set var apart.b = 40
set var place.parts.high = 16320
print apart
print place.f
monitor lanes print color == GREEN
monitor lanes print place.f - $lane
kill
