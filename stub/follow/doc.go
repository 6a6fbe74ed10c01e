// Package follow lets one gdb follow a host program from launch to launch: to gdb
// each is the program that the process executes now, as after Unix's exec, with
// threads, registers and symbols of its own. It knows sessions and launches, and
// neither families of machines nor runtimes.
//
// [New] makes a [Follower]. Its Run is what a device does with its launches
// ([simtgdb/stub/device.Options]); its Serve waits for gdb, at first in the first
// launch that is to stop. What gdb is told of a launch:
//
//   - One that is to stop: it stands before its first instruction.
//   - Another of the module that gdb has symbols of, while gdb has breakpoints or
//     watchpoints: nothing, unless it runs into one or faults. It is executed as
//     gdb's sessions are, by one thread.
//   - One of a module that gdb has not seen, while it has neither: that the program
//     is another, so that gdb looks for pending breakpoints there. With breakpoints
//     it is not told: gdb (location_to_sals) disables those that it does not find.
//   - All others: nothing. They run as if nobody debugged.
package follow
