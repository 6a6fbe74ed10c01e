package device

// The numbers of the protocol. The client's side has them in client/src/protocol.h, which command header
// makes of this file: a line //c:enum says what a group of constants is called there.

//go:generate go run ./header protocol.go client/src/protocol.h

// Version is the version of the protocol, pageSize that of memory that is shared.
//
//c:enum - - DEV_
const (
	Version  = 8
	pageSize = 4096
)

// An Op is what a client asks for.
type Op uint16

// The operations: the package comment has their fields.
//
//c:enum dev_op Op OP_
const (
	OpHello Op = iota + 1
	OpAlloc
	OpFree
	OpShare
	OpUnshare
	OpLoad
	OpUnload
	OpLaunch
	OpCopy
	OpFill
	OpRecord
	OpQuery
	OpForget
	OpWait
	OpInfo
	OpReset
	OpBuild
	OpCompile
	OpDispatch
	OpReserve
	OpUnreserve
	OpMap
	OpUnmap
	OpOrder
	OpTouch
	OpLink
	OpLimit
	OpMisuse
	OpTexel
)

// A Status says how a request went, or in which condition a device is.
type Status uint16

// The statuses.
//
//c:enum dev_status - DEV_
const (
	Done          Status = iota
	Invalid              // a value makes no sense
	NoMemory             // the device's memory is used up
	NotFound             // no allocation, module, kernel or event is called that
	BadModule            // the file cannot be read, or has no code that can be simulated
	BadLaunch            // sizes or arguments are not what the kernel demands
	Faulted              // a kernel accessed memory that it may not
	Asserted             // a kernel's assertion failed
	Trapped              // a kernel trapped, or executed what is no instruction
	Unsupported          // the device does not do that
	Failed               // a launch could not be run for another reason
	WrongProtocol        // the client speaks another version

	//lint:ignore U1000 The header that is made of this has it.
	gone Status = 100 // there is no service: clients say so to themselves
)

// What a service wants to know of its clients, by bits, and the kinds of misuse.
//
//c:enum dev_check wants CHECK_
const (
	wantsOrder = 1 << iota // what orders works, and when the program itself touches memory
	wantsAPI               // misuse of the API
	wantsHost              // what the program itself accesses
	wantsLeak              // what it leaves behind
)

// What wait waits for.
//
//c:enum dev_wait - -
const (
	waitAll = iota
	waitStream
	waitEvent
	waitNothing
	waitTicket
)

// What is said of the order of work, to a service that wants to know: of a stream, of another, or of the
// host.
//
//c:enum dev_order - -
const (
	orderLoose   = iota // what the stream does is in no order by itself
	orderBarrier        // what it did so far comes before what it does
	orderStream         // it comes after what another did up to a ticket
	orderWork           // after the work with a ticket
	orderNext           // the next that it does alone
	hostStream          // the host has waited for what the stream did up to a ticket
	hostWork            // for the work with a ticket
	hostAll             // for everything
	orderApart          // the stream comes after what the host has waited for only as it is said
	orderSeen           // asks whether the host has waited for the work with a ticket
)
