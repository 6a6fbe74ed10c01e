package agent

import (
	"errors"
	"fmt"
	"strings"
)

// MaxLength is the longest expression that Decode takes, in bytes. Jump targets
// are 16-bit, so no longer expression can be reached whole.
const MaxLength = 1 << 16

// What can be wrong with an expression, to be found with errors.Is. The errors
// that Decode and Eval return wrap one of these, or the error of the Context.
var (
	ErrTooLong        = errors.New("expression is too long")
	ErrTruncated      = errors.New("expression ends within a bytecode")
	ErrUnknownOpcode  = errors.New("unknown bytecode")
	ErrUnsupported    = errors.New("bytecode is not supported here")
	ErrJumpTarget     = errors.New("jump does not lead to the start of a bytecode")
	ErrFormat         = errors.New("bad printf format")
	ErrNoEnd          = errors.New("expression runs past its last bytecode")
	ErrStackUnderflow = errors.New("stack underflow")
	ErrStackOverflow  = errors.New("stack overflow")
	ErrDivideByZero   = errors.New("division by zero")
	ErrTooManySteps   = errors.New("expression takes too many steps")
	ErrTooMuchOutput  = errors.New("expression prints too much")
	ErrNoPrinter      = errors.New("context cannot print")
)

// Error says which bytecode of an expression failed. Err is one of the errors
// of this package or what the Context answered.
type Error struct {
	Offset int    // of the bytecode, from the start of the expression
	Op     string // the bytecode's name
	Err    error
}

func (e *Error) Error() string {
	return fmt.Sprintf("agent expression: %s at offset %d: %v", e.Op, e.Offset, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// instruction is one decoded bytecode.
type instruction struct {
	op      opcode
	offset  int
	operand uint64 // as encoded; for a jump the index of the instruction it leads to
	format  string // of printf
	field   *field // of reg: what it begins
}

// Program is a decoded expression. It is immutable and may be evaluated by
// several goroutines at once.
type Program struct {
	code         []byte
	instructions []instruction
}

// Decode checks an expression and prepares it for evaluation. It refuses what
// no evaluation could do right: unknown or unsupported bytecodes, truncated
// operands, jumps that do not lead to the start of a bytecode. Stack depth is
// checked when the expression is evaluated.
func Decode(code []byte) (*Program, error) {
	if len(code) > MaxLength {
		return nil, fmt.Errorf("agent expression of %d bytes (at most %d): %w", len(code), MaxLength,
			ErrTooLong)
	}
	p := &Program{code: append([]byte(nil), code...)}
	indexAt := make([]int32, len(code)) // offset -> index of the instruction there, plus one
	for offset := 0; offset < len(code); {
		in, size, err := decodeOne(p.code, offset)
		if err != nil {
			return nil, &Error{Offset: offset, Op: opcode(code[offset]).String(), Err: err}
		}
		p.instructions = append(p.instructions, in)
		indexAt[offset] = int32(len(p.instructions))
		offset += size
	}
	for i := range p.instructions {
		in := &p.instructions[i]
		if in.op != opGoto && in.op != opIfGoto {
			continue
		}
		if in.operand >= uint64(len(code)) || indexAt[in.operand] == 0 {
			return nil, &Error{Offset: in.offset, Op: in.op.String(),
				Err: fmt.Errorf("to offset %d: %w", in.operand,
					ErrJumpTarget)}
		}
		in.operand = uint64(indexAt[in.operand] - 1)
	}
	p.findFields()
	return p, nil
}

// decodeOne decodes the bytecode at offset and gives its length.
func decodeOne(code []byte, offset int) (in instruction, size int, err error) {
	in = instruction{op: opcode(code[offset]), offset: offset}
	d := &descriptions[in.op]
	if d.name == "" {
		return in, 0, ErrUnknownOpcode
	}
	if d.exec == nil {
		return in, 0, ErrUnsupported
	}
	size = 1 + d.operand
	if len(code)-offset < size {
		return in, 0, ErrTruncated
	}
	for _, b := range code[offset+1 : offset+size] {
		in.operand = in.operand<<8 | uint64(b)
	}
	if in.op == opPrintf {
		format, n, err := decodeString(code[offset+size:])
		if err != nil {
			return in, 0, err
		}
		in.format = format
		size += n
	}
	return in, size, nil
}

// decodeString reads printf's format: a 16-bit length that counts the closing
// zero byte, and the bytes.
func decodeString(b []byte) (s string, size int, err error) {
	if len(b) < 2 {
		return "", 0, ErrTruncated
	}
	n := int(b[0])<<8 | int(b[1])
	if len(b)-2 < n {
		return "", 0, ErrTruncated
	}
	text := b[2 : 2+n]
	if n == 0 || text[n-1] != 0 {
		return "", 0, fmt.Errorf("format is not closed by a zero byte: %w", ErrFormat)
	}
	s, err = unescape(string(text[:n-1]))
	return s, 2 + n, err
}

// escapes are the characters after a backslash that gdb knows in a format; it
// leaves them to the agent.
var escapes = map[byte]byte{
	'a': '\a', 'b': '\b', 'e': 0x1b, 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v',
	'\\': '\\', '"': '"',
}

func unescape(s string) (string, error) {
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		b := s[i]
		if b == '\\' {
			i++
			if i == len(s) {
				return "", fmt.Errorf("%w: it ends with a backslash", ErrFormat)
			}
			var ok bool
			if b, ok = escapes[s[i]]; !ok {
				return "", fmt.Errorf("%w: escape %q", ErrFormat, s[i-1:i+1])
			}
		}
		out.WriteByte(b)
	}
	return out.String(), nil
}

// Bytes gives the expression as it was decoded. The caller must not change it.
func (p *Program) Bytes() []byte { return p.code }

// String lists the expression, one bytecode a line, with jump targets as offsets.
func (p *Program) String() string {
	var b strings.Builder
	for i := range p.instructions {
		in := &p.instructions[i]
		fmt.Fprintf(&b, "%4d  %s", in.offset, in.op)
		switch {
		case in.op == opGoto || in.op == opIfGoto:
			fmt.Fprintf(&b, " %d", p.instructions[in.operand].offset)
		case in.op == opPrintf:
			fmt.Fprintf(&b, " %d %q", in.operand, in.format)
		case descriptions[in.op].operand > 0:
			fmt.Fprintf(&b, " %d", in.operand)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
