# Call frame information with LLVM's extensions, in a kernel of hand-written
# assembly: frames, f, g, h twice, hop and leaf.
source testdata/gdb/settings
directory testdata/asm
target remote | bin/simtgdb serve --stdio --launch testdata/asm/frames.json --arg buf:u32[64]=zero --arg i32:1
# Every instruction of g: its frames, and what its callers have in s34, in v41
# and in their frames, which g saves and uses for itself.
break *g
continue
set trace-commands off
while $pc >= (long)g && $pc < (long)h
  backtrace
  frame apply level 1-2 -q printf "kept %#x, mine %#x, stored %#x\n", kept, mine, stored
  stepi
end
# h is called.
set trace-commands on
finish
set trace-commands off
while $pc >= (long)g && $pc < (long)h
  backtrace
  frame apply level 1-2 -q printf "kept %#x, mine %#x, stored %#x\n", kept, mine, stored
  stepi
end
set trace-commands on
kill
