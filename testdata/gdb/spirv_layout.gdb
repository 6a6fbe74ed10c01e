# Buffers with offsets and strides, matrices of both majors, arrays without a length, push constants. In line 27, behind
# which is the end, the other lanes have left.
source testdata/gdb/settings
directory testdata/spirv/src
target remote | bin/simtgdb serve --stdio --launch testdata/spirv/launch/layout.json
break total
continue
p v
p v.p
finish
p $
thread 2
p c
p i
p gl_GlobalInvocationID
thread 1
break 27
continue
info locals
p c
p m[1][2]
p c.z + d.y
p u
p u.cm[1][2]
p u.rm
p s
p s.tail
p sizeof s.tail
p pc
ptype u
ptype s
p &s.tail[1]
p s.tail[0] + 1
set var c.y = 100
p c
set var s.tail[2] = 2.5
p s.tail
info threads
watch s.count
continue
p s.m[0]
kill
