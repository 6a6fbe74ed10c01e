package zebin

import (
	"fmt"
	"strings"

	"simtgdb/loader"
)

// The part of YAML 1.2 that .ze_info is written in: block mappings and block
// sequences, plain, single-quoted and double-quoted scalars without escapes,
// flow sequences of scalars, comments, and the marks of a document.

// Bounds on what is read.
const (
	maxYAMLDepth = 16
	maxYAMLNodes = 1 << 20
)

// A node of the document: one of a scalar, a mapping, a sequence.
type node struct {
	line   int
	scalar string
	keys   []string
	fields map[string]*node // of a mapping
	items  []*node          // of a sequence
}

// at gives a field of a mapping, or nil.
func (n *node) at(key string) *node {
	if n == nil {
		return nil
	}
	return n.fields[key]
}

// A yamlLine is a line with something on it.
type yamlLine struct {
	number, indent int
	text           string
}

type yamlReader struct {
	lines []yamlLine
	nodes int
}

// yamlError says what is wrong with a line.
func yamlError(line int, format string, args ...any) error {
	return &loader.FormatError{Offset: -1, What: fmt.Sprintf("%s line %d: ", infoSection, line) +
		fmt.Sprintf(format, args...)}
}

// readYAML reads a document.
func readYAML(text string) (*node, error) {
	r := &yamlReader{}
	for i, l := range strings.Split(text, "\n") {
		l = strings.TrimRight(l, " \r\x00")
		body := strings.TrimLeft(l, " ")
		switch {
		case body == "" || body[0] == '#' || body == "---":
			continue
		case body == "...":
		case strings.HasPrefix(body, "\t"):
			return nil, yamlError(i+1, "it is indented with a tab")
		default:
			r.lines = append(r.lines, yamlLine{i + 1, len(l) - len(body), body})
			continue
		}
		break
	}
	if len(r.lines) == 0 {
		return nil, yamlError(1, "the document is empty")
	}
	n, err := r.block(r.lines[0].indent, 0)
	if err == nil && len(r.lines) > 0 {
		err = yamlError(r.lines[0].number, "%q is indented less than what it belongs to",
			clip(r.lines[0].text))
	}
	return n, err
}

// clip shortens text out of the file for an error.
func clip(s string) string { return s[:min(len(s), 40)] }

// block reads the mapping or sequence whose lines begin at indent.
func (r *yamlReader) block(indent, depth int) (*node, error) {
	first := r.lines[0]
	if depth > maxYAMLDepth {
		return nil, yamlError(first.number, "nested more than %d deep", maxYAMLDepth)
	}
	n := &node{line: first.number}
	sequence := isItem(first.text)
	if !sequence {
		n.fields = map[string]*node{}
	}
	for len(r.lines) > 0 && r.lines[0].indent == indent && isItem(r.lines[0].text) == sequence {
		if r.nodes++; r.nodes > maxYAMLNodes {
			return nil, yamlError(r.lines[0].number, "more than %d values", maxYAMLNodes)
		}
		read := r.field
		if sequence {
			read = r.item
		}
		if err := read(n, depth); err != nil {
			return nil, err
		}
	}
	if len(r.lines) > 0 && r.lines[0].indent > indent {
		return nil, yamlError(r.lines[0].number, "%q is indented more than what it belongs to",
			clip(r.lines[0].text))
	}
	return n, nil
}

func isItem(text string) bool { return text == "-" || strings.HasPrefix(text, "- ") }

// item reads "- value", where what is behind the dash is a block of its own.
func (r *yamlReader) item(n *node, depth int) error {
	l := &r.lines[0]
	rest := strings.TrimLeft(l.text[1:], " ")
	if rest == "" {
		v, err := r.nested(*l, depth)
		n.items = append(n.items, v)
		return err
	}
	if _, _, isField := splitField(rest); !isField && !isItem(rest) {
		v, err := r.value(rest, l.number)
		n.items = append(n.items, v)
		r.lines = r.lines[1:]
		return err
	}
	l.indent += len(l.text) - len(rest)
	l.text = rest
	v, err := r.block(l.indent, depth+1)
	n.items = append(n.items, v)
	return err
}

// field reads "key: value" or "key:" with a block below it.
func (r *yamlReader) field(n *node, depth int) error {
	l := r.lines[0]
	key, rest, ok := splitField(l.text)
	if !ok {
		return yamlError(l.number, "%q is no field", clip(l.text))
	}
	if n.fields[key] != nil {
		return yamlError(l.number, "field %q is there twice", clip(key))
	}
	var v *node
	var err error
	if rest == "" {
		v, err = r.nested(l, depth)
	} else {
		v, err = r.value(rest, l.number)
		r.lines = r.lines[1:]
	}
	n.keys = append(n.keys, key)
	n.fields[key] = v
	return err
}

// nested reads the block below a line, or an empty value. A sequence may stand
// at the indentation of its key.
func (r *yamlReader) nested(l yamlLine, depth int) (*node, error) {
	r.lines = r.lines[1:]
	if len(r.lines) > 0 {
		below := r.lines[0]
		if below.indent > l.indent || below.indent == l.indent && isItem(below.text) && !isItem(l.text) {
			return r.block(below.indent, depth+1)
		}
	}
	return &node{line: l.number}, nil
}

func splitField(text string) (key, rest string, ok bool) {
	if text[0] == '\'' || text[0] == '"' || text[0] == '[' {
		return "", "", false
	}
	if k, found := strings.CutSuffix(text, ":"); found && !strings.Contains(k, ": ") {
		return k, "", true
	}
	key, rest, ok = strings.Cut(text, ": ")
	return key, strings.TrimLeft(rest, " "), ok
}

// value reads a scalar or a flow sequence.
func (r *yamlReader) value(text string, line int) (*node, error) {
	n := &node{line: line}
	inner, flow := strings.CutPrefix(text, "[")
	if !flow {
		var err error
		n.scalar, err = scalar(text, line)
		return n, err
	}
	inner, closed := strings.CutSuffix(strings.TrimRight(inner, " "), "]")
	if !closed {
		return nil, yamlError(line, "%q has no end", clip(text))
	}
	for _, part := range strings.Split(inner, ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		if r.nodes++; r.nodes > maxYAMLNodes {
			return nil, yamlError(line, "more than %d values", maxYAMLNodes)
		}
		s, err := scalar(part, line)
		if err != nil {
			return nil, err
		}
		n.items = append(n.items, &node{line: line, scalar: s})
	}
	return n, nil
}

func scalar(text string, line int) (string, error) {
	quote := text[0]
	if quote != '\'' && quote != '"' {
		plain, _, _ := strings.Cut(text, " #")
		return strings.TrimRight(plain, " "), nil
	}
	if len(text) < 2 || text[len(text)-1] != quote {
		return "", yamlError(line, "%q has no end", clip(text))
	}
	body := text[1 : len(text)-1]
	if quote == '\'' {
		return strings.ReplaceAll(body, "''", "'"), nil
	}
	return body, nil
}
