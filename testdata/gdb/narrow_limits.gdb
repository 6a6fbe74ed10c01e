# What gdb does not do with pointers of four bytes in structures: the rows of the guide's table.
source testdata/gdb/settings
directory testdata/debug
target remote | bin/simtgdb serve --stdio --code-object testdata/debug/co/narrow_pointers.O0.co --kernel narrow --grid 64 --block 64 --arg buf:i32[64]=zero
tbreak 49 if $lane == 3
continue
python
def attempt(command):
    try:
        print(command + ": " + gdb.execute(command, to_string=True).strip())
    except gdb.error as error:
        print(command + ": error: " + str(error))
end
python attempt("print m.rows[0][3]")
python attempt("print *(float (*)[4]) 0x1000000000000")
python attempt("ptype m.list->next->value")
python attempt("whatis m.list->next->value")
python attempt("print sizeof(m.list->next->value)")
python attempt("print 1 && m.list->next->value == 13")
python attempt("print 0 || m.list->next->value == 13")
python attempt("print 1 ? m.list->next->value == 13 : 0")
python attempt("print &m.list->next")
python attempt("print &m.rows[1]")
python attempt("set var m.list->next = &nodes[2]")
python attempt("set var m.list->next = nodes[1].next")
python attempt("print m.list->next")
break 49 if m.list->next->value == 18
info breakpoints
kill
