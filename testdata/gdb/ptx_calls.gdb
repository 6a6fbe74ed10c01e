# PTX, unoptimised: what calls.gdb does on gfx9, with the same values (TestPTXValues).
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --launch testdata/launch/calls.json --code-object testdata/ptx/co/calls.O0.ptx
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
