package cfi

import (
	"errors"
	"fmt"
	"slices"
)

// A RuleKind is a kind of register rule (A.6.4.1).
type RuleKind uint8

// The register rules. Unspecified is no rule at all: the architecture's
// default holds.
const (
	Unspecified   RuleKind = iota
	Undefined              // the caller's value is lost
	SameValue              // the register still has it
	Offset                 // at CFA + Offset
	ValOffset              // it is CFA + Offset
	InRegister             // in another register
	Expression             // at the location of an expression
	ValExpression          // it is the value of an expression
	Architectural          // as the architecture says
)

// A Rule tells how to find the caller's value of a register.
type Rule struct {
	Kind     RuleKind
	Offset   int64
	Register uint64
	Expr     []byte
}

// A CFARuleKind is a kind of rule for the canonical frame address.
type CFARuleKind uint8

// The rules for the canonical frame address.
const (
	NoCFA         CFARuleKind = iota // the table has no rule
	CFARegister                      // a register's value plus Offset, in Space
	CFAExpression                    // the location of an expression
)

// A CFARule tells how to find the canonical frame address.
type CFARule struct {
	Kind     CFARuleKind
	Register uint64
	Offset   int64
	Space    uint64
	HasSpace bool // DW_CFA_LLVM_def_aspace_cfa said which
	Expr     []byte
}

// A RegisterRule is one column of a row.
type RegisterRule struct {
	Register uint64
	Rule     Rule
}

// A Row is what holds for the addresses [Start, End).
type Row struct {
	Start, End uint64
	CFA        CFARule
	Registers  []RegisterRule // those that instructions named, by number
	FDE        *FDE
}

// Rule is the rule for a register, the architecture's default if no
// instruction named it.
func (r *Row) Rule(reg uint64) Rule {
	if i, ok := findRule(r.Registers, reg); ok {
		return r.Registers[i].Rule
	}
	return r.FDE.CIE.options.Arch.defaultRule(reg)
}

func findRule(rules []RegisterRule, reg uint64) (int, bool) {
	return slices.BinarySearchFunc(rules, reg, func(r RegisterRule, reg uint64) int {
		switch {
		case r.Register < reg:
			return -1
		case r.Register > reg:
			return 1
		}
		return 0
	})
}

// Bounds on what hostile instructions can make the rules grow to.
const (
	maxRules   = 8192    // registers with a rule
	maxKept    = 1 << 16 // rules and states remembered
	maxPrinted = 1 << 22
)

// ErrPC is the error for an address that an entry does not cover.
var ErrPC = errors.New("the address is outside of the entry")

// state is the rules while instructions run.
type state struct {
	cie    *CIE
	cfa    CFARule
	rules  []RegisterRule
	loc    uint64
	stack  []remembered
	kept   int // rules in stack
	inCIE  bool
	onRow  func() bool // called before loc changes; false to stop
	halted bool
}

type remembered struct {
	cfa   CFARule
	rules []RegisterRule
}

func (s *state) set(reg uint64, rule Rule) error {
	i, ok := findRule(s.rules, reg)
	switch {
	case ok:
		s.rules[i].Rule = rule
	case len(s.rules) >= maxRules:
		return fmt.Errorf("rules for more than %d registers", maxRules)
	default:
		s.rules = slices.Insert(s.rules, i, RegisterRule{reg, rule})
	}
	return nil
}

// prepare runs the CIE's instructions, whose result all its FDEs begin with.
func (c *CIE) prepare() {
	c.initial = &state{cie: c, inCIE: true}
	if c.bad = c.opaque; c.bad == nil {
		c.bad = c.initial.run(c.Instructions)
	}
}

// start gives the state in which an FDE's instructions begin.
func (c *CIE) start() (*state, error) {
	if c.bad != nil {
		return nil, fmt.Errorf("CIE at offset 0x%x: %w", c.Offset, c.bad)
	}
	return &state{cie: c, cfa: c.initial.cfa, rules: slices.Clone(c.initial.rules)}, nil
}

func (s *state) run(code []byte) error {
	var fault error
	err := s.cie.each(code, func(op *operation) bool {
		if fault = op.info.run(s, op); fault != nil {
			fault = fmt.Errorf("%s at offset %d: %w", op.info.name, op.at, fault)
		}
		return fault == nil && !s.halted
	})
	if fault != nil {
		return fault
	}
	return err
}

// Row gives the rules that hold at an address.
func (f *FDE) Row(pc uint64) (Row, error) {
	if pc-f.Start >= f.Range {
		return Row{}, fmt.Errorf("FDE at offset 0x%x, address 0x%x: %w", f.Offset, pc, ErrPC)
	}
	if r := f.last.Load(); r != nil && pc >= r.Start && pc < r.End {
		return *r, nil
	}
	s, err := f.CIE.start()
	if err != nil {
		return Row{}, err
	}
	row := Row{Start: f.Start, End: f.End(), FDE: f}
	s.loc = f.Start
	s.onRow = func() bool {
		// Called with the next location.
		if s.loc > pc {
			row.End = min(row.End, s.loc)
			return false
		}
		row.Start = s.loc
		return true
	}
	if err := s.run(f.Instructions); err != nil {
		return Row{}, fmt.Errorf("FDE at offset 0x%x: %w", f.Offset, err)
	}
	row.CFA, row.Registers = s.cfa, s.rules
	f.last.Store(&row)
	return row, nil
}

// Rows gives all rows of the entry. The rows share their rules where nothing
// changed between them.
func (f *FDE) Rows() ([]Row, error) {
	s, err := f.CIE.start()
	if err != nil {
		return nil, err
	}
	var rows []Row
	s.loc = f.Start
	at, cost := f.Start, 0
	add := func(end uint64) {
		rows = append(rows, Row{Start: at, End: end, CFA: s.cfa, Registers: slices.Clone(s.rules), FDE: f})
		cost += 1 + len(s.rules)
	}
	s.onRow = func() bool {
		add(s.loc)
		at = s.loc
		return cost < maxPrinted
	}
	err = s.run(f.Instructions)
	if err == nil && cost >= maxPrinted {
		err = fmt.Errorf("more than %d rules in all rows", maxPrinted)
	}
	if err != nil {
		return rows, fmt.Errorf("FDE at offset 0x%x: %w", f.Offset, err)
	}
	add(f.End())
	return rows, nil
}

func (s *state) moveTo(loc uint64) error {
	if s.inCIE {
		return errors.New("not allowed in a CIE")
	}
	if s.loc = loc; s.onRow != nil && !s.onRow() {
		s.halted = true
	}
	return nil
}

func runSetLoc(s *state, op *operation) error {
	if op.args[0] < s.loc {
		return fmt.Errorf("address 0x%x below the current one, 0x%x", op.args[0], s.loc)
	}
	return s.moveTo(op.args[0])
}

func runAdvance(s *state, op *operation) error {
	loc := s.loc + op.args[0]
	if loc < s.loc {
		return fmt.Errorf("advance by 0x%x from 0x%x", op.args[0], s.loc)
	}
	return s.moveTo(loc)
}

func runDefCFA(s *state, op *operation) error {
	s.cfa = CFARule{Kind: CFARegister, Register: op.args[0], Offset: int64(op.args[1])}
	if op.info.operands[2] == operSpace {
		s.cfa.Space, s.cfa.HasSpace = op.args[2], true
	}
	return nil
}

// needCFA is the condition of the instructions that change a part of the rule.
func (s *state) needCFA() error {
	if s.cfa.Kind != CFARegister {
		return errors.New("no CFA rule with a register to change")
	}
	return nil
}

func runDefCFARegister(s *state, op *operation) error {
	if err := s.needCFA(); err != nil {
		return err
	}
	s.cfa.Register = op.args[0]
	return nil
}

func runDefCFAOffset(s *state, op *operation) error {
	if err := s.needCFA(); err != nil {
		return err
	}
	s.cfa.Offset = int64(op.args[0])
	return nil
}

func runDefCFAExpression(s *state, op *operation) error {
	s.cfa = CFARule{Kind: CFAExpression, Expr: op.expr}
	return nil
}

func setKind(k RuleKind) func(*state, *operation) error {
	return func(s *state, op *operation) error { return s.set(op.args[0], Rule{Kind: k}) }
}

func setOffset(k RuleKind) func(*state, *operation) error {
	return func(s *state, op *operation) error {
		return s.set(op.args[0], Rule{Kind: k, Offset: int64(op.args[1])})
	}
}

func setExpression(k RuleKind) func(*state, *operation) error {
	return func(s *state, op *operation) error {
		return s.set(op.args[0], Rule{Kind: k, Expr: op.expr})
	}
}

func runRegister(s *state, op *operation) error {
	return s.set(op.args[0], Rule{Kind: InRegister, Register: op.args[1]})
}

func runRestore(s *state, op *operation) error {
	if s.inCIE {
		return errors.New("not allowed in a CIE")
	}
	reg := op.args[0]
	if i, ok := findRule(s.cie.initial.rules, reg); ok {
		return s.set(reg, s.cie.initial.rules[i].Rule)
	}
	if i, ok := findRule(s.rules, reg); ok {
		s.rules = slices.Delete(s.rules, i, i+1)
	}
	return nil
}

func runRemember(s *state, _ *operation) error {
	if s.kept += 1 + len(s.rules); s.kept > maxKept {
		return fmt.Errorf("more than %d rules remembered", maxKept)
	}
	s.stack = append(s.stack, remembered{s.cfa, slices.Clone(s.rules)})
	return nil
}

func runRestoreState(s *state, _ *operation) error {
	if len(s.stack) == 0 {
		return errors.New("no state is remembered")
	}
	top := s.stack[len(s.stack)-1]
	s.stack = s.stack[:len(s.stack)-1]
	s.kept -= 1 + len(top.rules)
	s.cfa, s.rules = top.cfa, top.rules
	return nil
}

// runVendor toggles an architectural rule.
func runVendor(s *state, op *operation) error {
	v, ok := vendorOf(s.cie.options.Arch, op.code)
	if !ok {
		return nil
	}
	rule := Rule{Kind: Architectural}
	if i, ok := findRule(s.rules, v.Register); ok && s.rules[i].Rule.Kind == Architectural {
		rule.Offset = s.rules[i].Rule.Offset
	}
	rule.Offset ^= 1
	return s.set(v.Register, rule)
}
