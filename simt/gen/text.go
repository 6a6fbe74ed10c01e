package gen

import (
	"fmt"
	"strconv"
	"strings"
)

// optionNames are what stands in braces behind an instruction, in the order
// in which it is printed.
var optionNames = [...]string{"AccWrEn", "Atomic", "Breakpoint", "Compacted", "EOT", "NoDDChk", "NoDDClr",
	"NoPreempt", "NoSrcDepSet", "Serialize", "Switch", "ExBSO", "CPS"}

const (
	optionAccWrEn    = 0
	optionBreakpoint = 2
	optionEOT        = 4
	optionExBSO      = 11
	optionCPS        = 12
)

// The widths of the columns of a line.
const (
	predWidth     = 7
	nameWidth     = 13
	modifierWidth = 9
	dstWidth      = 12
	srcWidth      = 16
	sendDstWidth  = 7
	sendSrcWidth  = 6
	descWidth     = 10
)

// A line is a line of text in columns. What a column overruns its width, the
// next ones that have room make up for; constants do not count as text, which
// is how iga64 lays them out.
type line struct {
	strings.Builder
	debt int
}

// column writes a text of which uncounted characters do not count, and pads
// it to a width.
func (l *line) column(width int, text string, uncounted int) {
	l.WriteString(text)
	room := width - (len(text) - uncounted)
	if room < 0 {
		l.debt -= room
		return
	}
	pay := min(l.debt, room)
	l.debt -= pay
	for range room - pay {
		l.WriteByte(' ')
	}
}

// text is the instruction as iga64 prints it, blanks at its end included.
func (in *Inst) text() string {
	var l line
	in.prefix(&l)
	switch in.Op.form {
	case formNone:
		if options := in.optionText(); options != "" {
			l.WriteString(strings.Repeat(" ", dstWidth+srcWidth) + options)
		}
		return l.String()
	case formSend, formSends:
		in.sendText(&l)
		return l.String()
	case formSendXe:
		in.sendTextXe(&l)
		return l.String()
	case formJump1, formJump2, formJmpi, formRet, formWait, formSync:
		l.WriteString(strings.Repeat(" ", dstWidth))
	default:
		l.WriteString("  ")
		l.column(dstWidth, in.dstText(), 0)
	}
	texts := in.sourceTexts()
	for i, t := range texts {
		l.WriteString("  ")
		if t.uncounted == noColumn {
			l.WriteString(t.text)
		} else {
			l.column(srcWidth, t.text, t.uncounted)
		}
		if i == 0 && len(texts) == 1 {
			l.column(srcWidth, "", 0)
		}
	}
	l.WriteString(in.optionText())
	return l.String()
}

// prefix writes predicate, name, execution size, and condition modifier.
func (in *Inst) prefix(l *line) {
	l.column(predWidth, in.predText(), 0)
	l.WriteByte(' ')
	name := in.Op.Name
	switch {
	case in.Op.form == formMath:
		name += "." + in.mathName()
	case in.Op.form == formSync:
		name += "." + in.syncName()
	case in.Op.form == formBfn:
		name += ".(" + bfnName(in.function) + ")"
	case in.Op.form == formDpas:
		name += fmt.Sprintf(".%dx%d", in.depth, in.repeat)
	case in.Op.form == formSendXe:
		name += "." + in.gen.sfids[in.exDesc&15]
	case in.branch:
		name += ".b"
	}
	name += " "
	if in.Op.form != formNone && in.Op.flags&noExecFlag == 0 {
		name += fmt.Sprintf("(%d|M%d)", in.width, in.first)
	}
	l.column(nameWidth, name, 0)
	l.WriteByte(' ')
	l.column(modifierWidth, in.modifierText(), 0)
}

func (in *Inst) mathName() string {
	if n := mathFunctions[in.cond]; n != "" {
		return n
	}
	return "?"
}

// predSuffixes are the predicate modes' texts.
var predSuffixes = [16]string{2: ".anyv", 3: ".allv", 4: ".any2h", 5: ".all2h", 6: ".any4h", 7: ".all4h",
	8: ".any8h",
	9: ".all8h", 10: ".any16h", 11: ".all16h", 12: ".any32h", 13: ".all32h", 14: ".?", 15: ".?"}

func (in *Inst) predText() string {
	if in.Op.form == formNone {
		return ""
	}
	var p string
	if in.pred != 0 && in.Op.flags&noPredicate == 0 {
		p = flagName(in.flag)
		if in.gen.wide {
			p += [4]string{2: ".any", 3: ".all"}[in.pred&3]
		} else {
			p += predSuffixes[in.pred]
		}
		if in.invert {
			p = "~" + p
		}
	}
	switch {
	case in.noMask && p != "":
		return "(W&" + p + ")"
	case in.noMask:
		return "(W)"
	case p != "":
		return "(" + p + ")"
	}
	return ""
}

func flagName(half uint8) string { return fmt.Sprintf("f%d.%d", half>>1, half&1) }

// condNames are the condition modifiers' texts.
var condNames = [16]string{1: "eq", 2: "ne", 3: "gt", 4: "ge", 5: "lt", 6: "le", 8: "ov", 9: "un"}

func (in *Inst) modifierText() string {
	switch {
	case in.Op.form == formMath:
		if in.cond != mathInvm && in.cond != mathRsqtm {
			return ""
		}
		return "(eo)" + flagName(in.flag)
	case in.Op.Code == opMadm && in.gen.wide:
		return ""
	case in.Op.form != formBasic && in.Op.form != formTernary && in.Op.form != formBfn, in.cond == 0,
		in.Op.flags&noModifier != 0:
		return ""
	case condNames[in.cond] == "":
		return "(?)" + flagName(in.flag)
	}
	return "(" + condNames[in.cond] + ")" + flagName(in.flag)
}

func (in *Inst) optionText() string {
	set := in.options
	if in.eot {
		set |= 1 << optionEOT
	}
	var names []string
	for i, n := range optionNames {
		if set>>i&1 != 0 {
			names = append(names, n)
		}
	}
	names = append(names, in.wait.texts()...)
	if names == nil {
		return ""
	}
	return " {" + strings.Join(names, ",") + "}"
}

// syncName is what sync does; of functions that there are not, iga64 gives no number.
func (in *Inst) syncName() string {
	if n := syncFunctions[in.cond]; n != "" {
		return n
	}
	return "0xFFFFFFFF?"
}

// syncText is what sync waits for: a set of tokens, which takes no column, or nothing.
func (in *Inst) syncText() piece {
	o := &in.src[0]
	switch {
	case in.gen.wide && o.isNull():
		return piece{o.regText(in.gen), 0}
	case in.gen.wide && o.place != immediate:
		return piece{o.regText(in.gen) + ":" + o.typ.String(), 0}
	case o.place == immediate && in.cond == syncBar && in.gen.wide && o.typ != UD:
		return o.immediateText()
	case o.place == immediate && in.cond == syncBar && in.gen.wide:
		t := fmt.Sprintf("0x%X", o.imm)
		return piece{t, len(t)}
	case o.place != immediate || in.cond != syncAllrd && in.cond != syncAllwr:
		return piece{"null", 0}
	}
	var tokens []string
	for i := range 32 {
		if o.imm>>i&1 != 0 {
			tokens = append(tokens, fmt.Sprintf("$%d", i))
		}
	}
	return piece{"(" + strings.Join(tokens, ",") + ")", noColumn}
}

// A piece is a column's text, and how much of it does not count.
type piece struct {
	text      string
	uncounted int
}

// noColumn marks a piece that has no column.
const noColumn = -1

func (in *Inst) sourceTexts() []piece {
	label := func(v int32) piece {
		s := strconv.Itoa(int(v))
		return piece{s + typeUnlessD(in.src[0].typ), len(s)}
	}
	if in.Op.flags&indirectFlag != 0 && in.src[0].place != noPlace {
		return []piece{{in.src[0].regText(in.gen) + typeUnlessD(in.src[0].typ), 0}}
	}
	switch in.Op.form {
	case formJump2:
		if in.src[0].place != noPlace {
			return []piece{{in.src[0].regText(in.gen), 0}, label(in.uip)}
		}
		return []piece{label(in.jip), label(in.uip)}
	case formCall:
		if in.src[0].place != noPlace {
			return []piece{{in.src[0].regText(in.gen) + typeUnlessD(in.src[0].typ), 0}}
		}
		return []piece{label(in.jip)}
	case formJump1:
		if in.src[0].place != noPlace {
			return []piece{{in.src[0].regText(in.gen), 0}}
		}
		return []piece{label(in.jip)}
	case formJmpi:
		if in.src[0].place == immediate {
			return []piece{label(in.jip)}
		}
		return []piece{{in.src[0].regText(in.gen), 0}}
	case formRet:
		switch {
		case in.gen.untyped && in.src[0].place == immediate:
			return []piece{label(in.jip)}
		case in.src[0].place == immediate && in.src[0].typ == D:
			return []piece{label(int32(in.src[0].imm))}
		case in.src[0].place == immediate:
			return []piece{in.src[0].immediateText()}
		case in.gen.untyped:
			return []piece{{in.src[0].regText(in.gen), 0}}
		}
		return []piece{{in.src[0].regText(in.gen) + typeUnlessD(in.src[0].typ), 0}}
	case formSync:
		return []piece{in.syncText()}
	}
	var t []piece
	for i := range in.sourceCount() {
		t = append(t, in.srcText(i))
	}
	return t
}

// typeUnlessD is a type as operands of branches have it: D goes without saying.
func typeUnlessD(t Type) string {
	if t == D {
		return ""
	}
	return ":" + t.String()
}

func (in *Inst) dstText() string {
	o := &in.dst
	t := o.regText(in.gen)
	switch {
	case o.mme >= 0:
		if o.place != indirect {
			t += mmeName(o.mme)
		}
		if o.vstride != 1 { // the stride that its field has, though all elements are written
			t += fmt.Sprintf("<%d>", o.vstride)
		}
	case in.Op.form == formDpas:
		return in.matrixText(o, false)
	case in.Op.form != formCall || o.hstride != 1 && !in.gen.untyped:
		t += fmt.Sprintf("<%d>", o.hstride)
	}
	if in.Op.form == formCall {
		return t + typeUnlessD(o.typ)
	}
	if in.saturate && in.Op.flags&noSaturate == 0 {
		t = "(sat)" + t
	}
	return t + ":" + o.typ.String()
}

// matrixText is an operand of dpas. Places in registers count elements, also such of less than a byte.
func (in *Inst) matrixText(o *operand, always bool) string {
	t := o.bareText(in.gen)
	if at := int(o.sub) * 8 / narrowBits(o.typ); always || at != 0 {
		t += fmt.Sprintf(".%d", at)
	}
	return t + ":" + o.typ.String()
}

// narrowBits is how many bits an element of a matrix has.
func narrowBits(t Type) int {
	switch t {
	case U4, S4:
		return 4
	case U2, S2:
		return 2
	}
	return 8 * t.Size()
}

func mmeName(n int8) string {
	if n == 8 {
		return ".nomme"
	}
	return fmt.Sprintf(".mme%d", n)
}

func (in *Inst) srcText(i int) piece {
	o := &in.src[i]
	if o.place == immediate {
		return o.immediateText()
	}
	t := ""
	switch {
	case o.neg && !o.abs && in.Op.flags&logicFlag != 0:
		t = "~"
	case o.neg:
		t = "-"
	}
	if o.abs {
		t += "(abs)"
	}
	t += o.regText(in.gen)
	switch {
	case o.mme >= 0:
		t += mmeName(o.mme)
	case in.Op.form == formDpas:
		return piece{in.matrixText(o, i == 2), 0}
	case in.Op.ternary() && i == 2:
		t += fmt.Sprintf("<%d>", o.hstride)
	case in.align1:
		t += fmt.Sprintf("<%d;%d>", o.vstride, o.hstride)
	case in.Op.form == formTernary:
		t += fmt.Sprintf("<%d;%d>", o.vstride/2, o.hstride)
	case o.vstride == perChannel:
		t += fmt.Sprintf("<%d,%d>", o.width, o.hstride)
	default:
		t += fmt.Sprintf("<%d;%d,%d>", o.vstride, o.width, o.hstride)
	}
	return piece{t + ":" + o.typ.String(), 0}
}

func (o *operand) immediateText() piece {
	var v string
	switch o.typ {
	case D, W, Q:
		v = strconv.FormatInt(int64(o.imm), 10)
	default:
		v = fmt.Sprintf("0x%X", o.imm)
	}
	return piece{v + ":" + o.typ.String(), len(v)}
}

// An arfInfo says how an architecture register is printed.
type arfInfo struct {
	name     string
	numbered bool // has a number
	subs     bool // has sub-registers
}

var arfs = [16]arfInfo{arfNull: {"null", false, false}, arfAddress: {"a", true, true},
	arfAcc:  {"acc", true, true},
	arfFlag: {"f", true, true}, arfCE: {"ce", false, false}, arfMsg: {"msg", true, true},
	arfSP: {"sp", false, true},
	arfSR: {"sr", true, true}, arfCR: {"cr", true, true}, arfN: {"n", true, true},
	arfIP:  {"ip", false, false},
	arfTDR: {"tdr", true, true}, arfTM: {"tm", true, true}, arfFC: {"fc", true, true},
	arfEOTmask: {"?", true, true},
	arfDBG:     {"dbg", true, true}}

// regText is the register without its region: "r5.3", "a0.0", "r[a0.1,32]".
func (o *operand) regText(g *Generation) string {
	switch {
	case o.place == indirect && o.offset != 0:
		return fmt.Sprintf("r[a0.%d,%d]", o.addr, o.offset)
	case o.place == indirect:
		return fmt.Sprintf("r[a0.%d]", o.addr)
	case o.place == inGRF && o.mme >= 0:
		return fmt.Sprintf("r%d", o.reg)
	case o.place == inGRF:
		return fmt.Sprintf("r%d.%d", o.reg, int(o.sub)/o.typ.Size())
	}
	return o.arfText(g, o.mme < 0)
}

func (o *operand) arfText(g *Generation, sub bool) string {
	a := arfs[o.reg>>4]
	t, n, num := a.name, int(o.sub)/o.typ.Size(), int(o.reg&15)
	if g.byteSubs>>(o.reg>>4)&1 != 0 {
		if n = int(o.sub); g.wide {
			n /= 2
		}
	}
	if o.reg>>4 == arfAcc && num >= g.accumulators { // the extended ones of IEEE division and root
		t, num = "mme", num-g.accumulators
	}
	if a.numbered || num != 0 {
		t += strconv.Itoa(num)
	}
	if sub && a.subs || n != 0 {
		t += "." + strconv.Itoa(n)
	}
	return t
}
