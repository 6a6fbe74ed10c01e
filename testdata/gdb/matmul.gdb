# LDS, barriers and a grid of two dimensions, without optimisation.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --launch testdata/launch/matmul.json
tbreak 19 if $workgroup_x == 1 && $workgroup_y == 2
continue
info locals
print tile_a[row][col]
print tile_b[0]
print &tile_b
ptype tile_b
next
next
print acc
set var tile_a[0][0] = 0.5
print tile_a[0][0]
print $exec
info registers v0 scc lane wave workitem_x workitem_y
thread 300
print row
print col
monitor info
kill
