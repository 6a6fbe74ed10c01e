# Call frame information with LLVM's extensions on gfx942, whose stack pointers
# are a lane's addresses, at every instruction from the call of f to its return,
# for a lane that calls g with others and for one that f switches off meanwhile.
# Only what is wrong is said, besides where the first lane is.
source testdata/gdb/settings
directory testdata/asm
define callers
  set $innermost = (long)$pc
  select-frame function frames
  if kept != 0x340 || mine != 0x410000 + $lane || stored != mine
    printf "pc %#lx: frames has kept %#x, mine %#x, stored %#x\n", $innermost, kept, mine, stored
  end
  if $innermost >= (long)plain
    select-frame function f
    if kept != 0xf34 || mine != 0xf410000 + $lane || stored != mine
      printf "pc %#lx: f has kept %#x, mine %#x, stored %#x\n", $innermost, kept, mine, stored
    end
  end
  if $innermost >= (long)h
    select-frame function g
    if kept != 1 || mine != 0x6410000 + $lane || stored != mine
      printf "pc %#lx: g has kept %#x, mine %#x, stored %#x\n", $innermost, kept, mine, stored
    end
  end
  if $innermost >= (long)hop
    select-frame function h
    if kept != 0 || stored != mine
      printf "pc %#lx: h has kept %#x, mine %#x, stored %#x\n", $innermost, kept, mine, stored
    end
    up-silently
    if kept != 1 || mine != ($lane << 8) + 1 || stored != mine
      printf "pc %#lx: the first h has kept %#x, mine %#x, stored %#x\n", $innermost, kept, mine, stored
    end
  end
  select-frame 0
end
target remote | bin/simtgdb serve --stdio --launch testdata/asm/frames.json --arg buf:u32[64]=zero --arg i32:1 --code-object testdata/asm/co/frames.gfx942.co
break *f thread 24
continue
set trace-commands off
set $count = 0
while $pc >= (long)f
  callers
  thread apply 23 -q callers
  set $count = $count + 1
  stepi
end
set trace-commands on
print $count
kill
