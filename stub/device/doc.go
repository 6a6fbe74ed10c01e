// Package device is a simulated GPU as a service: host programs, which are
// processes of their own, allocate its memory, load modules, and launch
// kernels. A client library that speaks the protocol below stands where the
// vendor's runtime would be (stub/device/client has those of HIP). The package
// knows no runtime's API, no family of machines and no debugger: [Options] has
// what is done with a launch besides running it.
//
// [Listen] makes a [Server], whose Address clients connect to. Each connection
// is a [Device] of its own, with its own memory; it ends with the connection.
//
// # Protocol
//
// Client and service talk over a Unix stream socket; the client asks, the
// service answers each request once, in order. All numbers are little-endian. A
// message is a header of 8 bytes,
//
//	u32 length of the payload, at most [MaxMessage]
//	u16 operation ([Op]); an answer repeats it
//	u16 status ([Status]) of an answer; 0 in requests
//
// and a payload of fields: numbers are u64, a string is a u64 length and its
// bytes, padded with zeros to a multiple of 8. A list is a u64 count and its
// elements. An answer whose status is not 0 has one field, a string for
// people. A message that is not as this says ends the connection.
//
// The first request is hello. Its answer carries a file descriptor
// (SCM_RIGHTS): the shared memory that is the device's heap, sealed against
// changes of its size. The client maps it at the heap's address, so that an
// address of the device is the same in both processes: managed and pinned
// memory are simply shared, and the client copies to and from the device
// itself, by its own means, after waiting for what was submitted before.
//
//	hello   version, string name of the client, number of the device's heap: where that lies depends on it,
//	        so that several libraries of one process have room, from 0 up
//	     -> version, heap address, heap bytes, device memory bytes, string processor ("" until one is
//	        chosen), what the service wants to know: 1 order and touch, 2 misuse of the API, 4 a touch for
//	        what the program itself accesses, 8 what it leaves behind
//	alloc   bytes, alignment, 1 for what the library has for itself, 2 for what the program cannot write to
//	        but by requests, 0 for else, caller -> address. A caller may be left out: the file of the
//	        program or library that asks, where the call returns to, where the file begins in memory, and
//	        where the function returns to that calls, if that is in the file, or 0
//	free    address, caller -> nothing
//	reserve bytes, alignment -> address. What is there is mapped later
//	unreserve address -> nothing
//	map     address, bytes -> nothing. Whole pages of what is reserved get memory, zeros
//	unmap   address, bytes -> nothing
//	share   address, bytes -> offset in the heap. Both are multiples of 4096, outside of the heap: memory of
//	        the client's, which maps the heap's there from that offset on, so that the device has it too
//	unshare address -> nothing
//	load    string contents of a file: a code object, an offload bundle, a SPIR-V module, PTX; constants. A
//	        constant is the number of a specialisation constant and a string, its value.
//	     -> module, string processor, kernels, symbols (below)
//	unload  module -> nothing
//	launch  stream, module, index of the kernel, grid x y z in work-items, block x y z, offset x y z,
//	        bytes of workgroup memory beyond what the kernel states, bytes of the printf buffer or 0,
//	        form, arguments
//	     -> ticket. The form is 1 if all workgroups run at once, plus 256 for each dimension that the client
//	        names, 1 to 3; 0 of these for as many as the grid needs. An argument is its form (0 a value, 1
//	        memory of the workgroup) and a string: the value's bytes, or the size of the memory as 8 bytes.
//	dispatch stream, module, index of the kernel, workgroups x y z, the first workgroup x y z, lanes of a
//	        wave or 0, 1 if accesses outside of buffers read 0 and write nothing or 0, string what the
//	        client calls the pipeline or "", string push constants, bindings
//	     -> ticket. A binding is set, number, element of the array, kind (0 a storage buffer, 1 a uniform
//	        buffer), address, bytes; none are bytes where nothing is bound. Those that the kernel has no use
//	        for are ignored.
//	copy    stream, to, from, bytes -> ticket. Both are addresses of the device
//	fill    stream, to, string pattern, times -> ticket
//	record  stream, event -> ticket. The client chooses the event's number
//	order   kind, stream, another, ticket -> 1 if the host has waited for all work, by kind 9 for the work
//	        with the ticket, or 0. What the program has said of the order of work. By kind: 0 the works of
//	        the stream are in no order by themselves; 1 all of them so far come before its further ones; 2
//	        its further works come after those of another stream up to a ticket; 3 after the work with a
//	        ticket; 4 the next of them alone does; the host has waited 5 for the works of the stream up to a
//	        ticket, 6 for the work with a ticket, 7 for everything; 8 works of the stream are submitted
//	        later than the host has asked for them, and come after what it had waited for as far as they
//	        come after a touch of stream 1<<63, which is the host's own
//	touch   stream, 1 if it writes, 2 if it does so atomically or 0, address, bytes of a row, rows, from one
//	        row to the next, planes of rows, from one plane to the next, caller -> ticket. The client itself
//	        accesses memory in the stream's place
//	query   event -> done (0 or 1), nanoseconds when it was reached, nanoseconds when the launch, copy or
//	        fill before it began, both by CLOCK_MONOTONIC
//	forget  event -> nothing
//	wait    kind (0 everything, 1 a stream, 2 an event, 3 nothing, 4 a ticket), its number, nanoseconds at
//	        most or 0 for any time
//	     -> ticket up to which all work is done, condition of the device ([Status]), string that says what
//	        happened, texts, more (0 or 1). A text is what a kernel printed: 1 for standard error or 0, and
//	        a string. If there are more, wait again.
//	info    -> device memory bytes, bytes that are free, launches so far
//	limit   bytes -> nothing. How much malloc of kernels has in all, before any kernel that calls it has run
//	link    files -> whether they could be linked (0 or 1), string what is wrong, string the file. A file is
//	        two strings, its name for messages and its contents
//	misuse  kind (2 of the API, 8 what is left behind), string the function of the API, string what it does
//	        wrong, address, bytes, caller, others -> nothing. Without an address there is no memory that it
//	        is about. Another is a string, what has happened there, and a caller.
//	texel   format by Vulkan's number, four words: the components of a color, integers or floats as the
//	        format has them -> string the bytes of a texel
//	reset   -> nothing. Frees everything and forgets what went wrong
//	build   kind of what is wanted (0 a file to load, 1 an object to build from), string options, inputs,
//	        headers
//	     -> whether it could be built (0 or 1), string what the compiler says, string the file. An input is
//	        its kind (0 source, 1 object) and a string, its contents; a header is two strings, its name and
//	        contents.
//	compile string name of the source, string source, options, headers, names
//	     -> whether it could be compiled (0 or 1), string what the compiler says, string the file, names. An
//	        option is a string; a name is one too: an expression of the language that names a kernel or a
//	        variable, and in the answer what the file calls it.
//
// A kernel, in the answer to load, is its string name, bytes of arguments, bytes of workgroup memory, bytes
// of private memory, work-items of a workgroup at most, lanes of a wave, registers of a lane or 0, compute
// capability that it is compiled for or 0, required workgroup x y z or zeros, string attributes, as OpenCL C
// spells them, and its explicit arguments: kind (0 a value, 1 a pointer to global memory, 2 memory of the
// workgroup, 3 an image, 4 a sampler, 5 other), offset, bytes, string name, string type, string address
// space, string access, qualifiers (1 const, 2 restrict, 4 volatile, 8 pipe). A symbol is its string name,
// the address of its variable, and its bytes.
//
// Work (launch, dispatch, copy, fill, record) is done in the order in which it is
// submitted, whatever its stream: that is one of the orders that streams
// allow. Alloc, free, load and unload wait for what was submitted. A kernel
// that faults or traps puts the device into a condition that launches are
// refused in, as the vendors' are, until reset.
package device
