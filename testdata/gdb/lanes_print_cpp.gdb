# One expression over all lanes: names of C++, outer frames.
source testdata/gdb/settings
directory testdata/debug
target remote | bin/simtgdb serve --stdio --grid 64 --block 64 --kernel scopes --arg buf:i32[64]=zero --arg buf:f32[64]=iota --arg i32:4 testdata/debug/co/scopes.O0.co
break 58
continue
backtrace
monitor lanes print area % 3
monitor lanes print level
monitor lanes print ::level
monitor lanes print geo::Base::made
monitor lanes print Other::tag / 16
monitor lanes print side
monitor lanes print sizeof(geo::Row<float, 2>)
monitor lanes print --frame 1 half % 4
monitor lanes print --frame 2 same.row.at[3] / 64
monitor lanes print --frame 3 id
monitor lanes print this->tag
monitor lanes print nothing::here
kill
