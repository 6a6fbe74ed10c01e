# Workgroup memory, barriers, several waves of two workgroups.
source testdata/gdb/settings
directory testdata/spirv/src
target remote | bin/simtgdb serve --stdio --launch testdata/spirv/launch/shared.json
break 20 if n == 8 && l == 3
continue
bt
p l
p n
p part[3]
p part
p range
p a[70]
thread 40
p l
p part[4]
thread 70
p part[4]
p gl_WorkGroupID
p gl_LocalInvocationIndex
kill
