# Addresses: an object has one, whether gdb takes it or the program has it.
source testdata/gdb/settings
directory testdata/debug
target remote | bin/simtgdb serve --stdio --code-object testdata/debug/co/pointers.O0.co --kernel pointers --grid 64 --block 64 --arg buf:i32[64]=zero
break 33 if p == &x && id == 5
continue
print p
print &x
print p == &x
print sp - &m[0][0]
print *sp
print b == &board[5]
print *b
print board[3]@4
print first.next == &second
print *first.next->value
print first.value == p
print &counter
print counter
# Of one lane, though each has an x at that address.
watch x
set var x = 50
thread apply 6 7 -q print *p
watch counter
continue
next
next
print last == &counter
delete
break sum if *head->next->value == 10 && $lane == 5
continue
print *head
up
print &first
print &second
kill
