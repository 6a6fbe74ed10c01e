# Lanes by where they stand, and the values that expressions have in them. By the source, depth is i % 7 at first and path
# is 1 there; the kernel's results are written later.
source testdata/gdb/settings
directory testdata/src
target remote | bin/simtgdb serve --stdio --launch testdata/launch/recursion.json
break walk if depth == 0
continue
monitor lanes
monitor lanes print depth
monitor lanes print depth * 2 + path
monitor lanes print depth > 3 ? &depth : 0
monitor lanes print workgroup path
monitor lanes print/x dispatch path
monitor lanes print nothing
monitor lanes print $exec
monitor lanes print/f (depth + 1) / 2.0f
monitor lanes print/x $workitem_x >> 4
monitor lanes print 12 / (depth % 3)
monitor lanes print *(float *)depth
print depth
thread 1
monitor lanes print depth
kill
