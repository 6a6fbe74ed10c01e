# Barriers and a grid of two dimensions, without optimisation.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --launch testdata/launch/matmul.json
# gdb itself evaluates conditions with floating point, lane by lane: not before the workgroup is there.
tbreak 11 if $workgroup_x == 1 && $workgroup_y == 2
continue
break 21 if $workgroup_x == 1 && $workgroup_y == 2 && acc > 4
continue
info locals
ptype tile_b
print a[0]@4
print tile_a[3][7] == a[(y + 3) * n + base + 7]
print tile_b[3][7] == b[(base + 3) * n + x - col + 7]
print $exec
info registers scc lane wave workitem_x workitem_y
delete
next
next
next
print base
print &acc
set var acc = 0.5
print acc
monitor info
monitor help
kill
