# A defect that was found is found again when the program goes back before it, and the state is the same.
source testdata/gdb/settings
directory testdata/check/src
target remote | bin/simtgdb serve --stdio --check=all testdata/check/defects.O0.co --kernel again_race --grid 128 --block 128 --arg buf:i32[256]=iota --arg buf:i32[128]=zero
continue
print k
print sum
info threads 1
monitor time
reverse-stepi
monitor time
stepi
monitor time
print k
print sum
monitor goto begin
reverse-stepi
monitor goto end
reverse-stepi
print k
print sum
monitor check show
continue
