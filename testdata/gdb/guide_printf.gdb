# A breakpoint on printf, text in the middle of stepping, stops behind printf.
source testdata/gdb/settings
directory docs/example
target remote | bin/simtgdb serve --stdio --launch testdata/printf/launch/hello.json
break printf
continue
bt
delete
finish
# The branch of the other lane is done on the way to the next line of this one.
next
monitor printf prefix on
monitor printf break on
continue
continue
monitor printf show 2
monitor printf break off
continue
