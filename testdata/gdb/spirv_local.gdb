# Workgroup memory that is an argument of an OpenCL kernel: pointers to it can be followed and watched.
source testdata/gdb/settings
directory testdata/spirv/src
target remote | bin/simtgdb serve --stdio --code-object testdata/spirv/cl_sum.cl.spv --grid 32 --block 16 --arg buf:i32[40]=iota --arg buf:i32[2]=zero --arg local:64 --arg i32:40
break 13 if k == 4
continue
p part
p *part@8
p part[l + k]
x/2dw part
p &part[2]
p *&l
delete
watch part[2]
continue
delete
break 17
continue
p part[0]
kill
