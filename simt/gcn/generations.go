package gcn

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// generations is the table of what these processors have: an operation of opTables or of generationOps, and
// its opcode for each of them.
//
//go:embed generations.txt
var generations string

// columns are the processors in the order of generations.
var columns = []Target{GFX1010, GFX1011, GFX1030, GFX1100, GFX1150, GFX1200, GFX1250}

// halfOperands ends a line of generations whose 16-bit operands are halves of registers from gfx11 on.
const halfOperands = "half"

// generationOps are the rows that gfx9 has not got: those of files ops_later*.go, ops_gfx12*.go and the like.
var generationOps = sync.OnceValue(func() [][]Op { return made(laterFamilies) })

func registerLater(family func() []Op) bool {
	laterFamilies = append(laterFamilies, family)
	return true
}

// vop3CodeLater is vop3Code from gfx10 on (RDNA 1 ISA, section "VOP3A").
var vop3CodeLater = map[Enc]uint16{VOPC: 0, VOP2: 0x100, VOP1: 0x180}

// laterTables are decodeTables for a processor of generations.
func laterTables(t Target) *decodeTables {
	column := 0
	for columns[column] != t {
		column++
	}
	ops := operations()
	dt := &decodeTables{unknown: map[unknownCode]string{}}
	for line := range strings.Lines(generations) {
		f := strings.Fields(line)
		if len(f) < 2+len(columns) || f[0] == "#" || f[2+column] == "-" {
			continue
		}
		number, name, renamed := strings.Cut(f[2+column], "=")
		code, err := strconv.ParseUint(number, 0, 16)
		if err != nil {
			panic(fmt.Sprintf("gcn: %q: %v", line, err))
		}
		if !renamed {
			name = f[1]
		}
		enc := encNamed(f[0])
		op := ops.find(enc, f[1])
		if op == nil {
			op = imageRow(enc, f[1])
		}
		if op == nil {
			dt.unknown[unknownCode{enc, uint16(code)}] = name
			continue
		}
		dt.addLater(op.later(enc, uint16(code), name, t, f[len(f)-1] == halfOperands))
	}
	return dt
}

// An unknownCode is an opcode of an instruction that is known by its name alone.
type unknownCode struct {
	enc  Enc
	code uint16
}

func (dt *decodeTables) addLater(op *Op) {
	dt.add(op.Enc, op.Code, op)
	if base, ok := vop3CodeLater[op.Enc]; ok && op.flag&noVOP3 == 0 {
		dt.add(VOP3, base+op.Code, op)
	}
}

func encNamed(name string) Enc {
	for e, n := range encNames {
		if n == name {
			return Enc(e)
		}
	}
	panic("gcn: no encoding " + name)
}

// operationsByName are rows by their names, which several can share.
type operationsByName map[string][]*Op

func operations() operationsByName {
	ops := operationsByName{}
	for _, rows := range slices.Concat(opTables(), generationOps()) {
		for i := range rows {
			ops[rows[i].Name] = append(ops[rows[i].Name], &rows[i])
		}
	}
	return ops
}

// find is the row for an operation in an encoding: of several the last, which newer processors have. Rows
// whose operands are not laid out as gfx9's are left out.
func (ops operationsByName) find(enc Enc, name string) *Op {
	var found *Op
	for _, op := range ops[name] {
		if op.Enc == MIMG || op.Enc != enc && enc == MUBUF {
			continue
		}
		if found == nil || op.Enc == enc || found.Enc != enc {
			found = op
		}
	}
	return found
}

// later is a copy of a row as a processor has it.
func (op *Op) later(enc Enc, code uint16, name string, t Target, halves bool) *Op {
	c := *op
	c.Enc, c.Code, c.on = enc, code, t
	c.setValues()
	if name != op.Name {
		c.title = name
	}
	if t&gfx10 != 0 && op.Name == loadSamples {
		c.image, c.run = op.image.ofMask(), nil
	}
	if shortAlone[op.Name] {
		c.flag |= noVOP3
	}
	if c.dst.is16() && enc != VOP3P { // the other half is left alone
		c.flag |= keeps
	}
	if t&gfx11P != 0 {
		c.flag |= noSDWA
		if enc == VOPC {
			c.flag &^= noDPP
		}
		if halves && enc == VOPC && strings.Contains(op.Name, "_class_") {
			c.src[1] = b16
		}
		if halves {
			c.flag |= opSel
			c.halves = true
		}
	}
	return &c
}

// shortAlone are the rows of VOP2 that have no form in VOP3 there.
var shortAlone = map[string]bool{"v_pk_fmac_f16": true, "v_dot2c_f32_f16": true, "v_dot4c_i32_i8": true}

// title is what the row is called on its processor.
func (op *Op) display() string {
	if op.title != "" {
		return op.title
	}
	return op.Name
}
