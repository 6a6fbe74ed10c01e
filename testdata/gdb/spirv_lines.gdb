# A module with OpLine and OpName only.
source testdata/gdb/settings
directory testdata/spirv/src
target remote | bin/simtgdb serve --stdio testdata/spirv/control.g.spv --groups 2 --binding r=i32[64]=zero
break collatz
continue
bt
next
next
info locals
p n
delete
finish
p r
kill
