# An array of buffers: each has its own address and length.
source testdata/gdb/settings
directory testdata/spirv/src
target remote | bin/simtgdb serve --stdio --launch testdata/spirv/launch/table.json
break 10
continue
p tab
p tab[1]
p tab[1].v[5]
p tab[2].v
p tab[0].v[3] + tab[2].v[2]
whatis tab
ptype tab[0]
p r
set var tab[2].v[1] = 100
p tab[2].v
watch r[7]
continue
p r
kill
