package gen

import "simtgdb/simt"

// The opcodes that something outside the table asks for. From Gen12LP on many are others: there they name the
// rows.
const (
	opMov    = 0x01
	opSel    = 0x02
	opNot    = 0x04
	opSmov   = 0x0a
	opCmp    = 0x10
	opCmpn   = 0x11
	opCsel   = 0x12
	opMadm   = 0x5d
	opJmpi   = 0x20
	opBreak  = 0x28
	opBrc    = 0x23
	opSends  = 0x33
	opSendsc = 0x34
	opWait   = 0x30
	opNop    = 0x7e
	opSync   = 0x7f // no generation's
	opAdd3   = 0x52
	opMacl   = 0x53
	opDpasw  = 0x5a
	opMac    = 0x48
	opMach   = 0x49
	opCalla  = 0x2b
	opAdd    = 0x40
	opAddc   = 0x4e
	opSubb   = 0x4f
	opShr    = 0x08
	opAsr    = 0x0c
	opMad    = 0x5b
	opMul    = 0x41
)

// ops is the table of Gen9's instructions (PRM volume 7, "Opcode Encoding").
var ops = []Op{
	{Code: 0x00, Name: "illegal", form: formNone},
	{Code: 0x01, Name: "mov", sources: 1, run: runMov, ints: intMov, floats: floatMov},
	{Code: 0x02, Name: "sel", sources: 2, run: runSel},
	{Code: 0x03, Name: "movi", sources: 1, flags: noModifier},
	{Code: 0x04, Name: "not", sources: 1, flags: logicFlag | noSaturate, ints: intNot},
	{Code: 0x05, Name: "and", sources: 2, flags: logicFlag | noSaturate, ints: intAnd},
	{Code: 0x06, Name: "or", sources: 2, flags: logicFlag | noSaturate, ints: intOr},
	{Code: 0x07, Name: "xor", sources: 2, flags: logicFlag | noSaturate, ints: intXor},
	{Code: 0x08, Name: "shr", sources: 2, ints: intShr},
	{Code: 0x09, Name: "shl", sources: 2, ints: intShl},
	{Code: 0x0a, Name: "smov", sources: 2, flags: noModifier | noSourceMod | noSaturate, run: runSmov},
	{Code: 0x0c, Name: "asr", sources: 2, ints: intAsr},
	{Code: 0x10, Name: "cmp", sources: 2, flags: noSaturate, run: runCmp},
	{Code: 0x11, Name: "cmpn", sources: 2, flags: noSaturate, run: runCmp},
	{Code: 0x12, Name: "csel", form: formTernary, sources: 3, run: runCsel},
	{Code: 0x17, Name: "bfrev", sources: 1, flags: noModifier | noSourceMod | noSaturate, ints: intBfrev},
	{Code: 0x18, Name: "bfe", form: formTernary, sources: 3, flags: noSourceMod | noModifier | noSaturate,
		ints: intBfe},
	{Code: 0x19, Name: "bfi1", sources: 2, flags: noSourceMod | noModifier | noSaturate, ints: intBfi1},
	{Code: 0x1a, Name: "bfi2", form: formTernary, sources: 3, flags: noSourceMod | noModifier | noSaturate,
		ints: intBfi2},
	{Code: 0x20, Name: "jmpi", form: formJmpi, sources: 1, flags: noExecFlag, flow: simt.FlowBranch,
		run: runJmpi},
	{Code: 0x21, Name: "brd", form: formJump1, flags: indirectFlag, flow: simt.FlowBranch, run: runBrd},
	{Code: 0x22, Name: "if", form: formJump2, flags: branchFlag, flow: simt.FlowBranch, run: runIf},
	{Code: 0x23, Name: "brc", form: formJump2, flags: indirectFlag, flow: simt.FlowBranch, run: runBrc},
	{Code: 0x24, Name: "else", form: formJump2, flags: branchFlag | noPredicate, flow: simt.FlowBranch,
		run: runElse},
	{Code: 0x25, Name: "endif", form: formJump1, flags: noPredicate, flow: simt.FlowBranch, run: runEndif},
	{Code: 0x27, Name: "while", form: formJump1, flow: simt.FlowBranch, run: runWhile},
	{Code: 0x28, Name: "break", form: formJump2, flow: simt.FlowBranch, run: runBreak},
	{Code: 0x29, Name: "cont", form: formJump2, flow: simt.FlowBranch, run: runCont},
	{Code: 0x2a, Name: "halt", form: formJump2, flow: simt.FlowBranch, run: runCont},
	{Code: 0x2b, Name: "calla", form: formCall, flow: simt.FlowCall, run: runCall},
	{Code: 0x2c, Name: "call", form: formCall, flags: noSaturate, flow: simt.FlowCall, run: runCall},
	{Code: 0x2d, Name: "ret", form: formRet, sources: 1, flow: simt.FlowReturn, run: runRet},
	{Code: 0x2e, Name: "goto", form: formJump2, flags: branchFlag, flow: simt.FlowBranch, run: runGoto},
	{Code: 0x2f, Name: "join", form: formJump1, flow: simt.FlowBranch, run: runEndif},
	{Code: 0x30, Name: "wait", form: formWait, sources: 1, flags: noExecFlag | noPredicate | noSourceMod,
		flow: simt.FlowBarrier, run: runWait},
	{Code: 0x31, Name: "send", form: formSend, sources: 1},
	{Code: 0x32, Name: "sendc", form: formSend, sources: 1},
	{Code: 0x33, Name: "sends", form: formSends, sources: 2},
	{Code: 0x34, Name: "sendsc", form: formSends, sources: 2},
	{Code: 0x38, Name: "math", form: formMath, sources: 2},
	{Code: 0x40, Name: "add", sources: 2, ints: intAdd, floats: floatAdd},
	{Code: 0x41, Name: "mul", sources: 2, ints: intMul, floats: floatMul},
	{Code: 0x42, Name: "avg", sources: 2, ints: intAvg},
	{Code: 0x43, Name: "frc", sources: 1, flags: noSaturate, floats: floatFrc},
	{Code: 0x44, Name: "rndu", sources: 1, floats: floatRndu},
	{Code: 0x45, Name: "rndd", sources: 1, floats: floatRndd},
	{Code: 0x46, Name: "rnde", sources: 1, floats: floatRnde},
	{Code: 0x47, Name: "rndz", sources: 1, floats: floatRndz},
	{Code: 0x48, Name: "mac", sources: 2, ints: intMac, floats: floatMac},
	{Code: 0x49, Name: "mach", sources: 2, flags: noModifier, ints: intMach},
	{Code: 0x4a, Name: "lzd", sources: 1, ints: intLzd},
	{Code: 0x4b, Name: "fbh", sources: 1, flags: noModifier | noSourceMod | noSaturate, ints: intFbh},
	{Code: 0x4c, Name: "fbl", sources: 1, flags: noModifier | noSourceMod | noSaturate, ints: intFbl},
	{Code: 0x4d, Name: "cbit", sources: 1, flags: noSourceMod | noModifier | noSaturate, ints: intCbit},
	{Code: opAddc, Name: "addc", sources: 2, flags: ownAcc | noSourceMod | noSaturate, ints: intAddc},
	{Code: opSubb, Name: "subb", sources: 2, flags: ownAcc | noSourceMod, ints: intSubb},
	{Code: 0x50, Name: "sad2", sources: 2},
	{Code: 0x51, Name: "sada2", sources: 2},
	{Code: 0x54, Name: "dp4", sources: 2},
	{Code: 0x55, Name: "dph", sources: 2},
	{Code: 0x56, Name: "dp3", sources: 2},
	{Code: 0x57, Name: "dp2", sources: 2},
	{Code: 0x59, Name: "line", sources: 2},
	{Code: 0x5a, Name: "pln", sources: 2, flags: noSourceMod},
	{Code: 0x5b, Name: "mad", form: formTernary, sources: 3, ints: intMad, floats: floatMad},
	{Code: 0x5c, Name: "lrp", form: formTernary, sources: 3, floats: floatLrp},
	{Code: 0x5d, Name: "madm", form: formTernary, sources: 3, run: runMadm},
	{Code: 0x7e, Name: "nop", form: formNone, run: runNop},
}

// gen11Without are the opcodes of Gen9's that Gen11 has not.
var gen11Without = []uint8{0x50, 0x51, 0x54, 0x55, 0x56, 0x57, 0x59, 0x5a, 0x5c}

// gen11Flags are what rows of Gen9's have besides on Gen11.
var gen11Flags = map[uint8]opFlag{0x0a: noSaturate, 0x12: noPredicate,
	0x18: noSourceMod | noModifier | noSaturate, 0x19: noSourceMod | noModifier,
	0x1a: noSourceMod | noModifier, 0x30: noSourceMod, 0x4e: noSourceMod | noSaturate,
	0x4f: noSourceMod}

// gen11Ops are the rows that Gen11 has besides Gen9's, or in their place.
var gen11Ops = []Op{
	{Code: 0x03, Name: "movi", sources: 2, flags: noModifier},
	{Code: 0x0e, Name: "ror", sources: 2, flags: noSaturate | noSourceMod, ints: intRor},
	{Code: 0x0f, Name: "rol", sources: 2, flags: noSaturate | noSourceMod, ints: intRol},
	{Code: 0x2e, Name: "goto", form: formJump2, flags: branchFlag, flow: simt.FlowBranch, run: runGotoTrue},
	{Code: 0x49, Name: "mach", sources: 2, flags: noModifier | ownAcc, ints: intMachBoth},
}

// gen12Ops are the rows that Gen12LP has besides Gen11's, or in their place.
var gen12Ops = []Op{
	{Code: opSync, Name: "sync", form: formSync, sources: 1, flags: noExecFlag | noPredicate, run: runNop},
	{Code: 0x31, Name: "send", form: formSendXe, sources: 2},
	{Code: 0x32, Name: "sendc", form: formSendXe, sources: 2},
	{Code: 0x58, Name: "dp4a", form: formTernary, sources: 3, flags: noSourceMod, ints: intDp4a},
}

// xeHPGOps are the rows that Xe-HPG has besides Gen12LP's.
var xeHPGOps = []Op{
	{Code: opAdd3, Name: "add3", form: formTernary, sources: 3, ints: intAdd3},
	{Code: 0x0b, Name: "bfn", form: formBfn, sources: 3, flags: noSourceMod | noSaturate, ints: intBfn},
	{Code: 0x59, Name: "dpas", form: formDpas, sources: 3, flags: noPredicate | noSaturate | noModifier,
		run: runDpas},
	{Code: opDpasw, Name: "dpasw", form: formDpas, sources: 3, flags: noPredicate | noSaturate | noModifier,
		flow: simt.FlowBarrier, run: runDpasw},
	{Code: opMadm, Name: "madm", form: formTernary, sources: 3, flags: noSaturate, run: runMadm},
}

// xeFlags and xeWithout are what rows of Gen11's have besides, and have not, from Gen12LP on.
var (
	xeFlags = map[uint8]opFlag{0x0e: noSourceMod, 0x0f: noSourceMod, 0x49: noSaturate, 0x4b: noSourceMod,
		0x4c: noSaturate | noSourceMod}
	xeWithout = map[uint8]opFlag{}
)

// xeHPCOps are the rows that Xe-HPC has besides Xe-HPG's.
var xeHPCOps = []Op{
	{Code: 0x49, Name: "mach", sources: 2, flags: noModifier | noSaturate, ints: intMach},
	{Code: opMacl, Name: "macl", sources: 2, flags: noModifier | noSaturate, ints: intMul},
	{Code: 0x54, Name: "srnd", sources: 2, flags: noPredicate | noModifier | noSourceMod | noSaturate,
		run: runSrnd},
	{Code: 0x17, Name: "bfrev", sources: 1, flags: noModifier | noSourceMod | noSaturate, ints: intBfrev},
}
