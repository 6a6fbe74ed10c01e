target remote | simtgdb serve scale.co --grid 4 --block 4 --arg f32:2 --arg buf:f32[4]=iota --arg buf:f32[4] --arg i32:4
break 8 if i == 2
continue
print x[i]
kill
