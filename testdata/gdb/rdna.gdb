# A program of gfx1100, whose waves have 32 lanes: variables and frames of lanes that have parted, registers of the
# wave, an instruction, and the end. By the source, depth is i % 7 at first and path is 1 there.
source testdata/gdb/settings
directory testdata/src
target remote | bin/simtgdb serve --stdio --launch testdata/launch/recursion.json --code-object testdata/rdna/co/recursion.gfx1100.O0.co
break walk if depth == 0
continue
info args
backtrace
monitor lanes
monitor lanes print depth * 2 + path
p/x $exec
p/x $vcc
p/x $exec_lo
p/x $vcc_hi
p $null
p $ttmp9
p $v0
p $_simd_lane
thread 6
info args
delete
finish
monitor disasm $pc 4
thread 40
backtrace
up
p left
continue
