# A program of gfx1250: a call, arguments in private memory, what a watchpoint sees, a returned structure.
source testdata/gdb/settings
directory testdata/src
target remote | bin/simtgdb serve --stdio --launch testdata/launch/calls.json --code-object testdata/rdna/co/calls.gfx1250.O0.co
break energy_of
continue
backtrace
info args
next
info locals
p p
p &e
delete
watch e.potential
continue
delete
finish
continue
