set pagination off
target remote | bin/simtgdb serve --stdio --demo
break weigh if rounds < 1
commands
  silent
  printf "lane %d of wave %d: %d rounds\n", $lane, $wave, rounds
  backtrace
  kill
  quit 1
end
continue
quit $_exitcode
