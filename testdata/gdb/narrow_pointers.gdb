# Pointers of four bytes in memory: members, elements, targets of other pointers.
source testdata/gdb/settings
directory testdata/debug
target remote | bin/simtgdb serve --stdio --code-object testdata/debug/co/narrow_pointers.O0.co --kernel narrow --grid 64 --block 64 --arg buf:i32[64]=zero
break last if $lane == 5
break 49 if nodes[0].next->value == 15
continue
finish
continue
print m
print nodes
print m.list
print *m.list
print m.list->next->next->value
print m.list->next->next->next
print m.list->next == &nodes[1]
print m.list->next->next->next == 0
print *m.row@4
print m.row[7]
print m.row + 1
print m.row == tile[1]
print m.row == m.rows[1]
print m.name
print m.any
print rows
print *rows[1]
print rows[1] == &tile[1][5]
print *place
print **place
print tail == &nodes[2]
print tail - m.list
print none
print none == nodes[2].next
print pair[1].list->next->value
print $head = m.list
print $head->value
print sizeof(m)
whatis m.list
ptype struct Node
x/4xw &nodes
set var m.list->next->value = 100
print nodes[1]
set var tail = 0
print tail
set var tail = &nodes[0]
print tail->value
watch m.list->next->value
set var rows[1] = tile[1] + 20
print *rows[1]
print **place
break sum if head->next->next->value == 25
continue
print *head
print *head->next->next
kill
