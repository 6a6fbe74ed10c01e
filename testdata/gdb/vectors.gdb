# OpenCL's vectors: whole, by component, changed, in conditions, returned.
source testdata/gdb/settings
directory testdata/debug
target remote | bin/simtgdb serve --stdio --code-object testdata/debug/co/vectors.O0.co --kernel vectors --grid 64 --block 64 --arg buf:f32[256]=iota --arg buf:i32[128]=zero
show language
print 1 && 1
break 19 if v.x == 20 && w.y > 3
continue
print $lane
print v
print v.x
print v.y + 1
print w
print bytes
print bytes.s7
print three
ptype v
print quads[5].z
print *p
set var v.z = 100
print v
break turned
continue
backtrace 1
finish
delete
next
next
next
next
