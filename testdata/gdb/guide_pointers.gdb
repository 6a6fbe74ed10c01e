# The guide's pointers of four bytes.
source testdata/gdb/settings
directory testdata/debug
target remote | bin/simtgdb serve --stdio --code-object testdata/debug/co/narrow_pointers.O0.co --kernel narrow --grid 64 --block 64 --arg buf:i32[64]=zero
break 49 if nodes[0].next->value == 15
continue
print tail
print nodes
print m.list
print *m.list
print m.list->next->next->value
print m.list->next == &nodes[1]
kill
