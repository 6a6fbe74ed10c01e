// Package stub is the debug session: it shows a running simt.Machine to a
// stock gdb as a process of an architecture that every gdb has, in which each
// lane is a thread. It joins the program (package launch), its debug
// information (packages dwarf and symfile), its frames (package frames) and the
// protocol (package rsp).
//
// gdb is told a facade (docs/architecture.md): a target description with the
// registers of x86-64 and those of the GPU, a symbol file that says where each
// variable's address can be asked for, and addresses that mean something only
// to this project (package threads). Package stub knows no instruction's meaning.
//
// Entry point: [New] makes a [Session], which is an rsp.Target.
package stub
