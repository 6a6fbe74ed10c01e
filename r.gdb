set pagination off
target remote |  replay --stdio r.simtgdb
continue
monitor time
reverse-continue
continue
continue
