# A subscript that leads into the member before its array, in a structure that a pointer leads to: the access is inside
# of the buffer, and the text of the source says which array it is meant for.
source testdata/gdb/settings
directory testdata/check/src
target remote | bin/simtgdb serve --stdio --check=bounds --source testdata/check/src testdata/check/members.O0.ptx --kernel arrow_bounds --grid 128 --block 128 --arg buf:i32[512]=iota --arg buf:i32[512]=zero
continue
print k
print &p->b[k - 1]
print &p->a[7]
continue
