# Arguments that an optimised kernel does not keep, as they were launched.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --launch testdata/launch/saxpy.json --code-object testdata/co/saxpy.gfx90a.O2.co
tbreak *saxpy if n == 290 && alpha == 2.5 && $wave == 1 && $lane == 5
continue
break 12 if 'n@entry' == 290 && $lane == 3
continue
print n
print 'n@entry'
print 'x@entry'[3]
info args
kill
