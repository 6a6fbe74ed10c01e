# Watch a variable of one lane, and memory that all lanes can write.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --demo
break weigh thread 4
continue
watch total
delete 1
continue
continue
delete
watch *(int *) 0x7e0010020010
continue
delete
kill
