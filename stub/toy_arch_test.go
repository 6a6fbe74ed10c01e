package stub

import (
	"bytes"
	"encoding/binary"
	"path/filepath"

	"simtgdb/dwarf"
	"simtgdb/dwarf/expr"
	"simtgdb/dwarf/line"
	"simtgdb/loader"
	"simtgdb/simt"
	"simtgdb/simt/simttest"
	"simtgdb/stub/arch"
)

// toyCode is what a compiler might make of testdata/toy.c: each instruction with
// its line.
var toyCode = []struct {
	op      simttest.ToyOp
	a, b, c byte
	line    uint32
}{
	{simttest.ToyNop, 0, 0, 0, 6},
	{simttest.ToyLane, 1, 0, 0, 7},
	{simttest.ToyLoad, 2, 0, 0, 8},
	{simttest.ToyAndI, 3, 1, 1, 9},
	{simttest.ToyBZ, 3, 9, 0, 9},
	{simttest.ToyAddI, 0, 1, 0, 10},
	{simttest.ToyCall, 0, 12, 0, 10},
	{simttest.ToyAddI, 2, 0, 0, 10},
	{simttest.ToyJump, 0, 10, 0, 10},
	{simttest.ToyLoad, 2, 7, 0, 12},
	{simttest.ToyStore, 4, 1, 2, 13},
	{simttest.ToyEnd, 0, 0, 0, 14},
	{simttest.ToyNop, 0, 0, 0, 1}, // twice
	{simttest.ToyAdd, 5, 0, 0, 2},
	{simttest.ToyAddI, 0, 5, 0, 3},
	{simttest.ToyRet, 0, 0, 0, 4},
}

const (
	toyBase  = 0x1000
	toyTwice = toyBase + 12*simttest.ToySize
	toyLast  = toyBase + 16*simttest.ToySize
)

const toyMagic = "toy machine"

// toyFamily implements arch.Family.
type toyFamily struct{}

func init() { arch.RegisterFamily(toyFamily{}) }

func (toyFamily) Name() string  { return "toy" }
func (toyFamily) Files() string { return "a toy program" }
func (toyFamily) Detect(data []byte) bool {
	return bytes.HasPrefix(data, []byte(toyMagic))
}
func (toyFamily) Owns(m *loader.Module) bool { return m.Format == toyMagic }
func (toyFamily) Processors() []string       { return []string{"toy"} }
func (toyFamily) Decoder(*loader.Module) (arch.Decoder, error) {
	return &simttest.ToyISA{Base: toyBase}, nil
}
func (toyFamily) Kernel(_ *loader.Module, k *loader.Kernel, _ []arch.Constant) (*loader.Kernel, error) {
	return k, nil
}

func (toyFamily) Open([]byte, loader.Options) (*loader.Module, error) {
	var code []byte
	lines := &line.Table{Header: line.NewHeader(5, 1)}
	folder, _ := filepath.Abs("testdata")
	lines.Dirs, lines.Files = []string{folder}, []line.File{{Name: "toy.c"}, {Name: "toy.c"}}
	for i, in := range toyCode {
		row := line.Row{Addr: toyBase + uint64(len(code)), Line: in.line, File: 1, Flags: line.IsStmt}
		if i > 0 && toyCode[i-1].op == simttest.ToyNop {
			row.Flags |= line.PrologueEnd
		}
		lines.Rows = append(lines.Rows, row)
		code = append(code, byte(in.op), in.a, in.b, in.c)
	}
	lines.Rows = append(lines.Rows, line.Row{Addr: toyLast, File: 1, Line: 14, Flags: line.EndSequence})
	sections, err := dwarf.Write([]*dwarf.OutUnit{{Version: 5, AddrSize: 8, Lines: lines,
		Root: toyInfo(folder)}}, dwarf.WriteOptions{})
	if err != nil {
		return nil, err
	}
	parts := loader.Module{Format: toyMagic, Target: loader.Target{Name: "toy"},
		Segments: []loader.Segment{{Name: ".text", Addr: toyBase, MemSize: uint64(len(code)), Data: code,
			Read: true, Exec: true}},
		Kernels: []loader.Kernel{{Name: "toy", Entry: toyBase, WavefrontSize: simttest.ToySize,
			Args: []loader.Arg{{Name: "out", Size: 8, Kind: loader.GlobalBuffer}}}},
		Symbols: []loader.Symbol{{Name: "toy", Addr: toyBase, Size: toyTwice - toyBase,
			Kind: loader.SymbolFunc, Section: ".text"},
			{Name: "twice", Addr: toyTwice, Size: toyLast - toyTwice, Kind: loader.SymbolFunc,
				Section: ".text"}}}
	for name, data := range sections {
		parts.Sections = append(parts.Sections, loader.Section{Name: name, Type: "SHT_PROGBITS",
			Size: uint64(len(data)), Data: data})
	}
	return loader.New(parts)
}

// toyInfo is the debug information: every variable is in a register.
func toyInfo(folder string) *dwarf.DIE {
	integer := dwarf.NewDIE(dwarf.TagBaseType, dwarf.StringAttr(dwarf.AttrName, "int"),
		dwarf.UintAttr(dwarf.AttrEncoding, dwarf.ATESigned), dwarf.UintAttr(dwarf.AttrByteSize, 4))
	pointer := dwarf.NewDIE(dwarf.TagPointerType, dwarf.RefAttr(dwarf.AttrType, integer))
	variable := func(tag dwarf.Tag, name string, typ *dwarf.DIE, register byte) *dwarf.DIE {
		return dwarf.NewDIE(tag, dwarf.StringAttr(dwarf.AttrName, name), dwarf.RefAttr(dwarf.AttrType, typ),
			dwarf.ExprAttr(dwarf.AttrLocation, []byte{expr.OpReg0 + register}))
	}
	function := func(name string, low, high uint64, line uint64, children ...*dwarf.DIE) *dwarf.DIE {
		f := dwarf.NewDIE(dwarf.TagSubprogram, dwarf.StringAttr(dwarf.AttrName, name),
			dwarf.FlagAttr(dwarf.AttrExternal),
			dwarf.AddressAttr(dwarf.AttrLowPC, low), dwarf.UintAttr(dwarf.AttrHighPC, high-low),
			dwarf.UintAttr(dwarf.AttrDeclFile, 1), dwarf.UintAttr(dwarf.AttrDeclLine, line),
			dwarf.FlagAttr(dwarf.AttrPrototyped))
		f.Add(children...)
		return f
	}
	twice := function("twice", toyTwice, toyLast, 1,
		variable(dwarf.TagFormalParameter, "v", integer, 0), variable(dwarf.TagVariable, "sum", integer, 5))
	twice.Set(dwarf.RefAttr(dwarf.AttrType, integer))
	root := dwarf.NewDIE(dwarf.TagCompileUnit, dwarf.StringAttr(dwarf.AttrName, "toy.c"),
		dwarf.StringAttr(dwarf.AttrCompDir, folder),
		dwarf.UintAttr(dwarf.AttrLanguage, dwarf.LangC99), dwarf.AddressAttr(dwarf.AttrLowPC, toyBase),
		dwarf.UintAttr(dwarf.AttrHighPC, toyLast-toyBase))
	root.Add(integer, pointer, twice, function("toy", toyBase, toyTwice, 6,
		variable(dwarf.TagFormalParameter, "out", pointer, 4),
		variable(dwarf.TagVariable, "lane", integer, 1), variable(dwarf.TagVariable, "r", integer, 2)))
	return root
}

func (toyFamily) Launch(l *arch.Launch) (*arch.Launched, error) {
	return &arch.Launched{ISA: &simttest.ToyISA{Base: toyBase, Args: []uint64{l.Params[0].Buffer.Base}},
		Arch: toyArch{}, Dispatch: simt.Dispatch{Grid: l.Grid, Block: l.Block, Entry: l.Kernel.Entry}}, nil
}

// toyArch implements arch.Arch.
type toyArch struct{ plainArch }

func (toyArch) Name() string { return "toy" }

func (toyArch) Register(number uint64) (arch.Register, bool) {
	return arch.Register{Reg: simt.Reg{Index: uint16(number)}, Bytes: 8}, number < 8
}

func (toyArch) Returned(w *simt.Wave, lane int, _ *simt.Call, _ *dwarf.DIE) ([]byte, error) {
	b := make([]byte, 8)
	err := w.Regs.Read(simt.Reg{}, lane, b)
	return binary.LittleEndian.AppendUint32(nil, binary.LittleEndian.Uint32(b)), err
}
