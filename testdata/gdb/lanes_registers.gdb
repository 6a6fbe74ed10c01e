# A register of every lane as a float, an integer and in hexadecimal: by the source, y becomes 2.5 i + 1.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --grid 4 --block 4 --arg i32:4 --arg f32:2.5 --arg buf:f32[4]=iota --arg buf:f32[4]=fill:1 testdata/co/saxpy.gfx90a.O2.co
break *0x1978
continue
monitor disasm $pc 1
monitor lanes print/f $v5
monitor lanes print/x $v5
monitor lanes print/d $v5
monitor lanes print/f $s1
print $v5
next
print 'y@entry'[3]
kill
