# Variables in registers from v256 on, which are registers of gdb as the others are, in lanes of both waves.
source testdata/gdb/settings
directory testdata/src
target remote | bin/simtgdb serve --stdio --grid 128 --block 64 --arg buf:i32[35840]=zero --arg buf:i32[35840]=iota --arg buf:f64[5120]=zero --arg buf:u32[16]=zero --arg i32:5 testdata/rdna/co/pressure.gfx1250.O2.co
break 27 if $lane == 5
continue
print lane
print id
print $v410
monitor registers v410 v412
thread 40
print lane
print id
print $v412 = 9
print lane
monitor registers v412
print $v300
stepi
