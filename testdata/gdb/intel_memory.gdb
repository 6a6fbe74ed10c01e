# Local memory, private arrays, structures, vectors and registers of a kernel for
# Intel's Gen9, and the lanes of a branch.
source testdata/gdb/settings
directory testdata/igc/debug/src
target remote | bin/simtgdb serve --stdio --launch testdata/igc/debug/tile.json
break 20
continue
info args
info locals
print shared
print &shared[3]
print *&shared[3]
print *in@4
print mine
print &mine
x/4dw &mine
# Another lane has its own.
thread 6
print mine
print p
set var p.second = 2.5
next
info threads 1-4
print p
# A vector; a change of private memory.
delete
thread 6
tbreak 25 thread 6
continue
print v
print v.z
print $f0
print $ce
print $ip
print $lane
print $gpu_r1
monitor disasm 0x10850 3
kill
