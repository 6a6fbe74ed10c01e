# A lane reads beyond its buffer: the kernel is told that there are more
# elements than there are.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --kernel vecadd --grid 128 --block 64 --arg buf:f32[100]=iota --arg buf:f32[128]=iota --arg buf:f32[128]=zero --arg i32:128 testdata/co/vecadd.gfx90a.O0.co
continue
backtrace
print i
print a[99]
print a[0]@8
info threads 65 100 101 128
thread 65
print sum
thread 101
print a[i]
