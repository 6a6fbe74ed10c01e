package visa

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// This file executes as much of IGC's Gen code as its stack frames depend on:
// mov and add of integers between general registers, scratch block messages,
// calls, returns and branches. Every other instruction writes random bytes to its
// destination. So frames are what the code's own prologues make of them, and no
// register keeps its value by chance.

// instruction is a line of a .gen file.
type instruction struct {
	pc        uint32
	next      uint32
	predicate string // without parentheses; empty for none
	opcode    string
	width     int
	operands  []string
	message   string // iga64's description
}

var instructionLine = regexp.MustCompile(`^([0-9A-F]{4,}) (?:\(([^)|]*)\) )?(\S+)(?: \((\d+)\|M\d+\))?` +
	`(?: \([a-z]+\)f\d\.\d)?((?: [^/ ]+)*)(?: // (.*))?$`)

func parseGen(t testing.TB, text []byte) map[uint32]*instruction {
	t.Helper()
	code := map[uint32]*instruction{}
	var last *instruction
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		m := instructionLine.FindStringSubmatch(lines.Text())
		if m == nil {
			t.Fatalf("not an instruction: %q", lines.Text())
		}
		pc, err := strconv.ParseUint(m[1], 16, 32)
		if err != nil {
			t.Fatal(err)
		}
		in := &instruction{pc: uint32(pc), predicate: m[2], opcode: m[3], width: 1,
			operands: strings.Fields(m[5]), message: m[6]}
		if m[4] != "" {
			in.width, _ = strconv.Atoi(m[4])
		}
		if last != nil {
			last.next = in.pc
		}
		code[in.pc] = in
		last = in
	}
	last.next = last.pc + 16
	return code
}

var typeBytes = map[string]int{"b": 1, "ub": 1, "w": 2, "uw": 2, "hf": 2, "bf": 2, "d": 4, "ud": 4, "f": 4,
	"q": 8, "uq": 8, "df": 8}

// operand is a general register region or an immediate.
type operand struct {
	kind      string // "reg", "imm" or "other"
	offset    int    // of the first element, in bytes
	stride    [3]int // vertical stride, width, horizontal stride in elements
	typ       string
	immediate uint64
}

var (
	registerOperand  = regexp.MustCompile(`^r(\d+)(?:\.(\d+))?(?:<(?:(\d+);(\d+),)?(\d+)>)?(?::([a-z]+))?$`)
	immediateOperand = regexp.MustCompile(`^(-?[0-9A-Fa-fx.e+-]+):([a-z]+)$`)
)

// parseOperand reads an operand; what the machine does not execute is "other".
func parseOperand(text string, grf int) operand {
	if m := registerOperand.FindStringSubmatch(text); m != nil {
		o := operand{kind: "reg", typ: "ud", stride: [3]int{0, 1, 1}}
		if m[6] != "" {
			o.typ = m[6]
		}
		reg, _ := strconv.Atoi(m[1])
		sub, _ := strconv.Atoi("0" + m[2])
		o.offset = reg*grf + sub*typeBytes[o.typ]
		o.stride[2], _ = strconv.Atoi("0" + m[5])
		if m[3] != "" {
			o.stride[0], _ = strconv.Atoi(m[3])
			o.stride[1], _ = strconv.Atoi(m[4])
		}
		return o
	}
	m := immediateOperand.FindStringSubmatch(text)
	if m == nil || typeBytes[m[2]] == 0 {
		return operand{kind: "other"}
	}
	o := operand{kind: "imm", typ: m[2]}
	if m[2] == "f" {
		v, err := strconv.ParseFloat(m[1], 32)
		if err != nil {
			return operand{kind: "other"}
		}
		o.immediate = uint64(math.Float32bits(float32(v)))
		return o
	}
	if v, err := strconv.ParseInt(m[1], 0, 64); err == nil {
		o.immediate = uint64(v)
		return o
	}
	v, err := strconv.ParseUint(m[1], 0, 64)
	if err != nil {
		return operand{kind: "other"}
	}
	o.immediate = v
	return o
}

// thread is a hardware thread with one call stack.
type thread struct {
	abi

	t       testing.TB
	target  Target
	code    map[uint32]*instruction
	base    uint32 // what return addresses are above offsets into the code
	pc      uint32
	grf     []byte
	scratch map[uint32]byte
	random  *rand.ChaCha8
	calls   []call
	done    bool

	// branch decides whether a conditional branch is taken.
	branch func(in *instruction, target uint32) bool
}

// call is what was true when a call was made.
type call struct {
	site, ret uint32 // offsets into the code
	stack     bool   // the return address is in the frame descriptor
	grf       []byte // the caller's registers, before the call
}

func newThread(t testing.TB, target Target, text []byte, base uint32) *thread {
	m := &thread{abi: patchTokens,
		t: t, target: target, code: parseGen(t, text), base: base,
		grf: make([]byte, target.grfFileBytes()), scratch: map[uint32]byte{},
		random: rand.NewChaCha8([32]byte{1}),
	}
	m.random.Read(m.grf)
	return m
}

func (m *thread) ReadGRF(offset uint32, p []byte) error {
	if int(offset)+len(p) > len(m.grf) {
		return fmt.Errorf("register file offset %d", offset)
	}
	copy(p, m.grf[offset:])
	return nil
}

func (m *thread) ReadScratch(address uint32, p []byte) error {
	for i := range p {
		b, ok := m.scratch[address+uint32(i)]
		if !ok {
			return fmt.Errorf("scratch address %#x was never written", address+uint32(i))
		}
		p[i] = b
	}
	return nil
}

// word reads an element of a register.
func (m *thread) element(offset, size int) uint64 {
	var b [8]byte
	copy(b[:size], m.grf[offset:])
	return binary.LittleEndian.Uint64(b[:])
}

func (m *thread) setElement(offset, size int, v uint64) {
	copy(m.grf[offset:offset+size], binary.LittleEndian.AppendUint64(nil, v)[:size])
}

// step executes one instruction.
func (m *thread) step() {
	in := m.code[m.pc]
	if in == nil {
		m.t.Fatalf("no instruction at %#x", m.pc)
	}
	m.pc = in.next
	opcode, _, _ := strings.Cut(in.opcode, ".")
	switch opcode {
	case "nop", "sync", "endif", "join", "while", "break": // loops end at once
	case "mov":
		if !m.elementwise(in, func(a, _ uint64) uint64 { return a }, 1) {
			m.clobber(in)
		}
	case "add":
		if !m.elementwise(in, func(a, b uint64) uint64 { return a + b }, 2) {
			m.clobber(in)
		}
	case "send", "sends", "sendc":
		m.send(in)
	case "call":
		m.call(in)
	case "ret":
		m.ret(in)
	case "if", "else", "goto":
		m.jump(in)
	case "jmpi", "cont", "brc", "brd", "halt":
		m.t.Fatalf("%#x: %s is not executed", in.pc, in.opcode)
	default:
		m.clobber(in)
	}
}

// elementwise executes an operation of integers of general registers. It reports
// false for operands that are anything else.
func (m *thread) elementwise(in *instruction, op func(a, b uint64) uint64, sources int) bool {
	if len(in.operands) != 1+sources {
		return false
	}
	dst := parseOperand(in.operands[0], int(m.target.GRFBytes))
	if dst.kind != "reg" {
		return false
	}
	src := [2]operand{{kind: "imm"}, {kind: "imm"}}
	for i := range sources {
		src[i] = parseOperand(in.operands[1+i], int(m.target.GRFBytes))
		isFloat := strings.HasSuffix(src[i].typ, "f") || strings.HasSuffix(dst.typ, "f")
		if src[i].kind == "other" || isFloat && (sources > 1 || src[i].typ != dst.typ) {
			return false
		}
	}
	size := typeBytes[dst.typ]
	results := make([]uint64, in.width)
	for i := range results {
		results[i] = op(m.source(src[0], i), m.source(src[1], i))
	}
	for i, v := range results {
		m.setElement(dst.offset+i*dst.stride[2]*size, size, v)
	}
	return true
}

func (m *thread) source(o operand, i int) uint64 {
	if o.kind == "imm" {
		return o.immediate
	}
	size := typeBytes[o.typ]
	at := i/o.stride[1]*o.stride[0] + i%o.stride[1]*o.stride[2]
	v := m.element(o.offset+at*size, size)
	if o.typ == "d" || o.typ == "w" || o.typ == "b" {
		shift := 64 - 8*size
		v = uint64(int64(v<<shift) >> shift)
	}
	return v
}

// clobber writes random bytes to what an instruction may write.
func (m *thread) clobber(in *instruction) {
	if len(in.operands) == 0 {
		return
	}
	dst := parseOperand(in.operands[0], int(m.target.GRFBytes))
	if dst.kind != "reg" {
		return
	}
	size := typeBytes[dst.typ]
	for i := range in.width {
		m.setElement(dst.offset+i*dst.stride[2]*size, size, m.random.Uint64())
	}
}

var (
	owordBlock   = regexp.MustCompile(`(?:^|; )oword block (read|write) x(\d+)$`)
	scratchBlock = regexp.MustCompile(`; (load|store)\.ugm\.d32x(\d+)t\.a32\.ss\[`)
	readLength   = regexp.MustCompile(`rd:(\d+)`)
)

// send executes scratch block messages. Other messages return random registers.
func (m *thread) send(in *instruction) {
	if strings.Contains(in.message, "end of thread") {
		m.done = true
		return
	}
	grf := int(m.target.GRFBytes)
	reg := func(i int) int {
		name, _, _ := strings.Cut(in.operands[i], ":")
		return parseOperand(name, grf).offset
	}
	var write bool
	var address uint32
	var size int
	if s := owordBlock.FindStringSubmatch(in.message); s != nil {
		n, _ := strconv.Atoi(s[2])
		write, size = s[1] == "write", n*16
		address = 16 * uint32(m.element(reg(1)+8, 4))
	} else if s := scratchBlock.FindStringSubmatch(in.message); s != nil {
		n, _ := strconv.Atoi(s[2])
		write, size = s[1] == "store", n*4
		address = uint32(m.element(reg(1), 4))
	} else {
		n, _ := strconv.Atoi(readLength.FindStringSubmatch(in.message)[1])
		if n > 0 {
			m.random.Read(m.grf[reg(0) : reg(0)+n*grf])
		}
		return
	}
	for i := range size {
		if write {
			m.scratch[address+uint32(i)] = m.grf[reg(2)+i]
		} else if b, ok := m.scratch[address+uint32(i)]; ok {
			m.grf[reg(0)+i] = b
		} else {
			m.t.Fatalf("%#x: reads scratch %#x, which was never written", in.pc, address+uint32(i))
		}
	}
}

func (m *thread) call(in *instruction) {
	dst := parseOperand(in.operands[0], int(m.target.GRFBytes))
	m.calls = append(m.calls, call{
		site: in.pc, ret: in.next,
		stack: dst.offset == int(m.descriptor*m.target.GRFBytes),
		grf:   bytes.Clone(m.grf),
	})
	m.setElement(dst.offset, 4, uint64(m.base+in.next))
	m.setElement(dst.offset+4, 4, 0xff)
	m.pc = in.pc + m.label(in, 1)
}

func (m *thread) ret(in *instruction) {
	src := parseOperand(in.operands[0], int(m.target.GRFBytes))
	m.pc = uint32(m.element(src.offset, 4)) - m.base
	if len(m.calls) == 0 {
		m.t.Fatalf("%#x: return without a call", in.pc)
	}
	last := m.calls[len(m.calls)-1]
	m.calls = m.calls[:len(m.calls)-1]
	if m.pc != last.ret {
		m.t.Fatalf("%#x: returns to %#x, called from before %#x", in.pc, m.pc, last.ret)
	}
}

// label reads a branch operand, which counts from the branch itself.
func (m *thread) label(in *instruction, i int) uint32 {
	v, err := strconv.ParseInt(in.operands[i], 10, 32)
	if err != nil {
		m.t.Fatalf("%#x: label %q", in.pc, in.operands[i])
	}
	return uint32(int32(v))
}

// jump executes structured branches for channels that all go the same way.
func (m *thread) jump(in *instruction) {
	target := in.pc + m.label(in, 0)
	if in.opcode == "goto" {
		target = in.pc + m.label(in, 1)
	}
	if in.predicate == "" || m.branch(in, target) {
		m.pc = target
	}
}
