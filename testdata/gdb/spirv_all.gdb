# A module with every debug instruction.
source testdata/gdb/settings
directory testdata/spirv/src
target remote | bin/simtgdb serve --stdio --launch testdata/spirv/launch/all.json
break 22
continue
info locals
whatis i
p shape
p shape.at[1]
p shape.tag
p shape.LIMIT
ptype shape
p m[1][0]
ptype m
p r
p n
p LIMIT
p gone
info scope plus
break twice
continue
bt
info args
finish
info locals
break plus
continue
bt
p k
finish
p $
info locals
set var shape.at[0] = 9
p shape
thread 3
p i
up 0
info line
info source
info types .
info macro SQUARE
macro expand SQUARE(i)
p SQUARE(3) + SQUARE(i)
p c
whatis c
print (enum Color) 4
print (enum Color) 5
whatis mp
whatis link
p where
ptype struct Base
info variables
ptype struct Box
break 30
continue
info macro SQUARE
kill
