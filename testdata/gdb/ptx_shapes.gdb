# PTX: virtual functions, which the lanes call in different classes, and frames that inlining made.
source testdata/gdb/settings
directory testdata/ptx/src
target remote | bin/simtgdb serve --stdio --kernel shapes --grid 32 --block 32 --arg buf:i32[32]=iota --arg buf:i32[32]=zero --arg i32:32 testdata/ptx/co/shapes.O0.ptx
break Square::area
continue
backtrace
print *this
print size
finish
delete
break Dot::area
continue
backtrace
up 2
print square
print bar
print dot
print total
print id
print all[1]
delete
continue
