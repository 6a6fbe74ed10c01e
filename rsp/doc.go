// Package rsp is a server for the GDB remote serial protocol: what stands between
// a stock gdb and anything that has threads, registers and memory.
//
// It knows the protocol and nothing else: no processor, no program, no file
// format. What is debugged is a [Target]. A target that can do more than the
// least (breakpoints, conditions, files, monitor commands…) has further methods;
// each such ability is a small interface of its own, found by type assertion, and
// the answer to qSupported is computed from those the target has.
//
// [Serve] listens for one client after the other and [ServeConn] serves a single
// connection, for instance [Stdio] for gdb's `target remote | program`. [Conn] is
// the framing alone; it works for either end of the wire. Agent expressions
// (breakpoint conditions) are in the package rsp/agent.
//
// In extended mode a client stays connected when the program is gone, and can start it anew if the target
// can. There are no tracepoints. A packet that is not known gets the empty reply, as the protocol wants.
//
// The rules are those of the gdb manual, appendix "The GDB Remote Serial
// Protocol"; comments name its sections.
package rsp
