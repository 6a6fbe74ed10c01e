# Calls three deep; structs by pointer, by value and as a result.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --launch testdata/launch/calls.json
break bounce
continue
backtrace
info args
print *position
print limit
up
print *p
print box
print p->vx + box.width
ptype p
up 2
info locals
print mine
print &mine
x/2fw &mine
delete
tbreak energy_of
continue
info args
set var box.gravity = 1
print box
finish
until 63
info locals
kill
