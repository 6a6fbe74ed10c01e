# A variable in r186 of a kernel with 256 registers, compiled for Intel's Xe-HPC.
source testdata/gdb/settings
directory testdata/igc/src
target remote | bin/simtgdb serve --stdio --kernel pressure --grid 16 --block 16 --arg buf:u32[16]=zero --arg buf:u32[512]=iota testdata/igc/debug/patch/spills-256.bin
tbreak *0x11110
continue
print sum
print $gpu_r186
thread apply 3 16 -q print sum
