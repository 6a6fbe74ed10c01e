package hazards

// The kinds of what instructions leave behind and need, and their classes.

// A Kind is what an instruction leaves behind that others may come to too early, or what it needs. What is
// left and what is needed are counted by themselves, and gfx9 by itself.
type Kind uint8

// What is left behind on gfx9.
const (
	LeftScalar  Kind = iota // a scalar register that a vector instruction wrote
	LeftM0                  // M0 that a scalar instruction wrote
	LeftSetting             // a hardware register that s_setreg wrote
	LeftVector              // a vector register that a vector instruction other than a matrix one wrote
	LeftSlow                // one that a transcendental instruction wrote
	LeftMoved               // one of which bits elsewhere than in the operation's place were written
	LeftDot                 // one that a dot product wrote
	LeftStored              // one that a store of more than 8 bytes reads
	LeftProduct             // one that a matrix instruction wrote, whose passes count
	LeftPlain               // the same of an instruction of gfx942 that its matrix core does not do: f32
	LeftDouble              // the same of doubles
	LeftSum                 // one that a matrix instruction adds to
	LeftAcc                 // an accumulation register of gfx908 that v_accvgpr_write wrote
	LeftAccRead             // a vector register that v_accvgpr_read wrote
	LeftBeneath             // a vector register written just before v_accvgpr_read or v_accvgpr_write
	touchesLeft
)

// What is needed there.
const (
	NeedAddress  Kind = iota // a scalar register that a memory instruction reads
	NeedLane                 // a scalar register that says which lane
	NeedMask                 // VCC of v_div_fmas
	NeedScalar               // a scalar register that a vector instruction reads
	NeedZero                 // VCC or EXEC of which a vector instruction reads whether it is 0
	NeedOther                // a vector register that DPP reads in other lanes
	NeedActive               // EXEC of an instruction with DPP
	NeedPresent              // EXEC of v_readlane, v_readfirstlane and v_writelane
	NeedM0                   // M0
	NeedGet                  // a hardware register that s_getreg reads
	NeedSet                  // one that s_setreg writes
	NeedWrite                // a vector register that a vector instruction writes
	NeedRead                 // one that a vector instruction reads
	NeedQuick                // the same, of an instruction that is not transcendental
	NeedPick                 // one that v_readlane or v_readfirstlane reads
	NeedMemory               // one that a memory instruction reads
	NeedFactor               // one that a matrix instruction multiplies
	NeedSum                  // one that a matrix instruction adds to
	NeedSumPlain             // the same, of an instruction that the matrix core does not do
	NeedSumD                 // the same, of doubles
	NeedMatrix               // EXEC of a matrix instruction
	NeedAccRead              // one that v_accvgpr_read of gfx908 reads
	NeedAccWrite             // one that v_accvgpr_write of gfx908 writes
	NeedSwap                 // one that v_permlane16_swap or v_permlane32_swap reads
	NeedSwapping             // EXEC of these
	touchesNeeded
)

// What is left behind on gfx10 and later.
const (
	HeldByMemory     Kind = iota // scalar registers that an access of lanes reads
	HeldByScalar                 // scalar registers that a scalar access reads
	HeldExec                     // EXEC that other than vector instructions read
	HasComparedLanes             // EXEC that v_cmpx wrote
	HasAddedFloats               // an atomic operation of floats in memory
	HasListed                    // an image instruction of 16 bytes and more, which lists its addresses
	InClause                     // s_clause, and how many instructions are in it
	UsedLDS
	UsedLDSBranched // then a branch
	UsedMemory
	UsedMemoryBranched
	LeftSlowly         // a vector register that a transcendental instruction writes
	HeldSlowly         // one that it reads
	LeftResult         // one that a vector instruction writes
	LeftResultSwitched // after which a scalar instruction has written EXEC
	HeldMask           // scalar registers that a vector instruction reads as a mask of lanes
	MaskByScalar       // which a scalar instruction has written then
	MaskByVector       // which a vector instruction has
	MaskVCC            // VCC, which a vector instruction has
	UsedByVector       // a vector register that a vector instruction reads or writes; looked at in a block
	UsedByMemory       // one that an access does; looked at in a block
	LeftMatrix         // one that a product of matrices writes
	LeftQuickMatrix    // the same on gfx1250, of one that takes 8 cycles
	LeftSlowMatrix     // 16 cycles
	LeftQuickSparse    // of one with structured sparsity that takes 8 cycles
	LeftSlowSparse     // 16 cycles
	AgainByScalar      // a scalar register that a vector instruction has read, and a scalar one has written
	AgainByVector      // the same that a vector instruction has written
	AgainVCC           // VCC, which a vector instruction has
	LeftScratchBase    // the scalar registers where the base of private memory is
	Begun              // any instruction that is not done at once; looked at in a block
	Accessed           // an access to memory or LDS
	Arrived            // ds_atomic_async_barrier_arrive_b64
	laterLeft
)

// What is come to there.
const (
	AtScalarWrite    Kind = iota // a scalar register that a scalar instruction names as its result
	AtLaneWrite                  // one that a vector instruction writes
	AtLaneWriteVCC               // the same where it is VCC
	AtPlainLaneWrite             // the same where it is not
	AtExecWrite                  // EXEC that a vector instruction writes
	AtExecSwitch                 // EXEC that a scalar instruction writes
	AtAnyScalarWrite             // a scalar register that a scalar instruction writes
	AtScalarRead                 // one that it reads
	AtLaneRead                   // one that a vector instruction reads
	AtBranch
	AtLDS
	AtMemory
	AtOffset   // a buffer access with an offset of certain numbers
	AtListed   // an image instruction that lists its addresses
	AtDenormal // s_denorm_mode
	AtPermute  // v_permlane16_b32 and its like
	AtRead     // a vector register that a vector instruction reads
	AtQuickRead
	AtQuickWrite // one that a vector instruction that is not transcendental reads, or writes
	AtPlainRead
	AtPlainWrite // one that a vector instruction that is no product reads, or writes
	AtFactor     // one that a product of matrices multiplies, or has indices in
	AtCoreFactor // the same of a product that the matrix core does
	AtDirect     // one that a direct load from LDS writes, and for how many vector instructions it waits
	AtDirectHeld // the same where it does not wait for accesses
	AtStatus     // a hardware register of state that s_getreg reads
	AtScratch    // the base of private memory
	AtAccess     // an access to memory or LDS
	AtArrive     // ds_atomic_async_barrier_arrive_b64
	laterNeeded
)

// Classes are what an instruction is as far as it matters to hazards: a bit for each.
type Classes uint32

const (
	AnyVector      Classes = 1 << iota // vector arithmetic
	WorkingVector                      // but for v_nop
	VectorToScalar                     // which writes a scalar register
	AnySlow                            // which is transcendental
	ScalarDone                         // scalar, and neither a wait nor a branch
	ScalarReads                        // scalar that reads a scalar register other than VCC
	ScalarReadsVCC
	ToScalar // scalar or vector that writes a scalar register
	MemoryAccess
	PlainAccess // but for flat, global and private memory
	ScalarAccess
	LDSAccess
	Export
	AnyWait     // s_waitcnt and the like
	NoneWaits   // s_waitcnt 0
	ScalarWaits // for all of LDS and of scalar memory
	StoresWait  // for all stores
	VmVsrc      // s_waitcnt_depctr vm_vsrc(0): accesses have read their registers
	VaVdst      // …va_vdst(0): vector registers are written
	VaSdst      // …va_sdst(0): scalar registers that vector instructions write are
	VaVCC       // …va_vcc(0): VCC is
	SaSdst      // …sa_sdst(0): scalar registers that scalar instructions write are
	BothSdst    // va_sdst(0) and sa_sdst(0)
	AllDone     // …0: everything
)
