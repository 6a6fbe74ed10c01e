# Pointers of four bytes in structures: what gdb cannot do, and what does it.
source testdata/gdb/settings
directory testdata/debug
target remote | bin/simtgdb serve --stdio --code-object testdata/debug/co/narrow_pointers.O0.co --kernel narrow --grid 64 --block 64 --arg buf:i32[64]=zero
tbreak 49 if $lane == 3
continue
print m.rows[1][3]
print *(float (*)[4]) 0x1000000000000
monitor lanes print m.rows[0][3]
monitor lanes print m.rows[0] == &tile[0][0]
monitor lanes print &nodes[1].next
monitor lanes print place == &rows[1]
monitor set m.list = &nodes[2]
print m.list->value
monitor set nodes[2].next = nodes[0].next
print nodes[2].next->value
monitor set m.rows[1] = m.rows[0]
monitor lanes print m.rows[1][2]
monitor set nodes[2].next = 0
print nodes[2].next
monitor set pair[0] = m
print *pair[0].list
kill
