# A module of naga's: parameters are values, and the structures around what buffers hold are none of the source's.
source testdata/gdb/settings
directory testdata/spirv/src
target remote | bin/simtgdb serve --stdio testdata/spirv/named.spv --groups 2 --binding values=f32[16]=iota --binding sizes=uniform:u32[2]=12,0x3f000000
print values
print sizes
print sizes.n
break larger if k == 10
continue
info args
print values[3]
up
print id
next
print values[5]
watch values[9]
continue
kill
