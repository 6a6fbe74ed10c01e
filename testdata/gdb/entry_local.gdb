# A pointer to LDS that an optimised kernel does not keep, as it was launched.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --launch testdata/launch/reduce_cl.json --code-object testdata/co/reduce_cl.gfx90a.O2.co
info args
print 'partial@entry'
x/2xw 'partial@entry'
print 'partial@entry' == (float *) 0x1000000000100
kill
