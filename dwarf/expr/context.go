package expr

// A Context is what an expression is evaluated in and what a location is read
// through: the architecture's sizes and the registers and memory of one thread
// (a wave) in one frame. Answers that are errors should be made with [Errorf];
// any other error of a register method counts as [NoRegister], of a memory
// method as [MemoryUnavailable], of the rest as [MissingContext].
//
// What only some expressions need is asked for through the optional interfaces
// below. A context that lacks one makes the operations that need it fail with
// [MissingContext].
type Context interface {
	// AddressSize is the size in bytes of an address in the default address
	// space, which is the size of a value of the generic type.
	AddressSize() int
	// RegisterSize is the whole size in bytes of a DWARF register.
	RegisterSize(num uint64) (int, error)
	// ReadRegister copies the register's bytes [off, off+len(p)),
	// little-endian, lane 0 first.
	ReadRegister(num uint64, off int, p []byte) error
	// ReadMemory copies len(p) bytes from an address of a DWARF address
	// space. lane is the lane a per-lane space is bound to, else -1.
	ReadMemory(space uint64, lane int, addr uint64, p []byte) error
}

// A Writer is a context whose registers and memory can be changed.
type Writer interface {
	WriteRegister(num uint64, off int, p []byte) error
	WriteMemory(space uint64, lane int, addr uint64, p []byte) error
}

// A LaneContext has a focused lane: DW_OP_LLVM_push_lane, per-lane address
// spaces, and the lanes of vector registers in stock clang's dialect.
type LaneContext interface {
	// Lane is the focused lane, negative if there is none.
	Lane() int
	// WaveSize is the number of lanes of the wave.
	WaveSize() int
}

// A LaneObserver is a LaneContext that wants to know when the number of the lane becomes a value, and not
// only binds a location to its lane.
type LaneObserver interface {
	LanePushed()
}

// An IterationContext has a focused iteration (DW_OP_LLVM_push_iteration).
type IterationContext interface {
	Iteration() (uint64, error)
}

// A FrameBaseContext knows the DW_AT_frame_base expression that holds at the
// program location (DW_OP_fbreg).
type FrameBaseContext interface {
	FrameBase() ([]byte, error)
}

// A CFAContext knows the canonical frame address (DW_OP_call_frame_cfa).
type CFAContext interface {
	CFA() (Location, error)
}

// An EntryContext knows where a register's value on entry to the current
// subprogram is now, by call frame information
// (DW_OP_LLVM_call_frame_entry_reg, DW_OP_entry_value).
type EntryContext interface {
	EntryRegister(num uint64) (Location, error)
}

// A FrameRegisterContext is for frames other than the innermost: it tells
// where a register of this frame is, which may be memory or nowhere
// (DW_OP_regx, A.2.5.4.4.4). Without it a register is in itself.
type FrameRegisterContext interface {
	RegisterLocation(num uint64) (Location, error)
}

// An ObjectContext knows the current object (DW_OP_push_object_address).
type ObjectContext interface {
	ObjectAddress() (Location, error)
}

// A ReferenceKind says what a reference's offset counts from.
type ReferenceKind uint8

// Offsets count from the start of the unit or of the section.
const (
	FromUnit    ReferenceKind = iota // DW_OP_call2, DW_OP_call4
	FromSection                      // DW_OP_call_ref, DW_OP_implicit_pointer
)

// A Reference names a debugging information entry.
type Reference struct {
	Kind   ReferenceKind
	Offset uint64
}

// A Procedure is what a DW_OP_call* or an implicit pointer finds in the entry
// it names. At most one of Code and Location is used.
type Procedure struct {
	// Code is the DW_AT_location expression; a call runs it on the
	// caller's stack.
	Code []byte
	// Location is the result of a location list, or the implicit location
	// of a DW_AT_const_value (see [Implicit]).
	Location *Location
	// Context is what Code is evaluated in when the entry is in another
	// unit; nil for the same context.
	Context Context
}

// A ProcedureContext finds the entries that DW_OP_call* and implicit pointers
// name. A procedure with neither code nor location has no effect when called.
type ProcedureContext interface {
	Procedure(ref Reference) (Procedure, error)
}

// A BaseTypeContext knows the base types of the current unit by their offset
// in it.
type BaseTypeContext interface {
	BaseType(offset uint64) (BaseType, error)
}

// An AddressContext reads the unit's part of .debug_addr (DW_OP_addrx,
// DW_OP_constx).
type AddressContext interface {
	Addrx(index uint64) (uint64, error)
}

// A TLSContext finds thread-local storage (DW_OP_form_tls_address).
type TLSContext interface {
	TLS(offset uint64) (Location, error)
}

// A ParameterContext knows the value a parameter had at the call site
// (DW_OP_GNU_parameter_ref): the expression of the call site's
// DW_AT_call_value, and the caller's context to evaluate it in.
type ParameterContext interface {
	Parameter(offset uint64) (code []byte, caller Context, err error)
}

// A CallerContext has the context of the calling frame at its call site
// (DW_OP_entry_value). Without it an [EntryContext] serves the registers.
type CallerContext interface {
	Caller() (Context, error)
}
