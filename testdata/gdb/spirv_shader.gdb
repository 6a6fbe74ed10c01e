# A GLSL shader, not optimised: lanes that diverge, variables of one name, calls, conditions, changes.
source testdata/gdb/settings
directory testdata/spirv/src
target remote | bin/simtgdb serve --stdio --launch testdata/spirv/launch/control.json
info threads 1-3
tbreak 53 if j == 2
continue
p i
p j
info locals
tbreak 64 if i == 20
continue
p k
p i
info threads 18-22
next
next
p found
p sum
watch found
continue
continue
delete
break collatz if n == 7
continue
bt
info args
up
info locals
p r[5]
down
next 4
info locals
thread 8
bt
thread 7
set var n = 1
finish
p $
delete
break classify if i == 12
continue
next
next
next
p k
info threads 11-14
kill
