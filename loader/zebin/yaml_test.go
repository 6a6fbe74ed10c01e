package zebin

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"simtgdb/testdata/sweep"
)

// TestYAMLRandom writes documents at random in all forms that a text of YAML may have, and reads them back:
// what is in them, and in which line.
func TestYAMLRandom(t *testing.T) {
	t.Parallel()
	for i := range sweep.Times(300, 20000) {
		w := &yamlWriter{r: rand.New(sweep.PCG(uint64(i), 77))}
		want := w.node(0)
		text := w.document(w.lines(want))
		got, err := readYAML(text)
		if err != nil {
			t.Fatalf("document %d: %v\n%s", i, err, text)
		}
		if d := cmp.Diff(want, got, cmp.AllowUnexported(node{}), cmpopts.EquateEmpty()); d != "" {
			t.Fatalf("document %d (-want +got):\n%s%s", i, d, text)
		}
	}
}

// A yamlWriter writes documents at random.
type yamlWriter struct{ r *rand.Rand }

// A writtenLine is a line, and the nodes that begin in it.
type writtenLine struct {
	indent int
	text   string
	nodes  []*node
}

// node is a mapping or a sequence; further down it may be a scalar.
func (w *yamlWriter) node(depth int) *node {
	n := &node{}
	kind := w.r.IntN(3)
	if depth == 0 {
		kind = 1 + w.r.IntN(2)
	} else if depth > 4 {
		kind = 0
	}
	switch kind {
	case 0:
		n.scalar = []string{"", "a", "-1", "0x10", "a:b", "a#b", "it's", `say "so"`, "b: c", "# no comment",
			"- no item", "[no list]", "with spaces in it"}[w.r.IntN(13)]
	case 1:
		n.fields = map[string]*node{}
		for i := range 1 + w.r.IntN(3) {
			key := fmt.Sprintf("%c_%d", 'a'+w.r.IntN(26), i)
			n.keys = append(n.keys, key)
			n.fields[key] = w.node(depth + 1)
		}
	case 2:
		for range 1 + w.r.IntN(3) {
			n.items = append(n.items, w.node(depth+1))
		}
	}
	return n
}

func isScalar(n *node) bool { return n.fields == nil && n.items == nil }

// scalar is a scalar with quotes of one kind, or without if it means the same so.
func (w *yamlWriter) scalar(s string, inList bool) string {
	plain := !strings.ContainsAny(s[:min(1, len(s))], `#-['"`) || s == "-1"
	plain = plain && !strings.Contains(s, ": ") && s != "" && !(inList && strings.Contains(s, ","))
	switch {
	case plain && w.r.IntN(2) == 0:
		return s
	case !strings.Contains(s, `"`) && w.r.IntN(2) == 0:
		return `"` + s + `"`
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}

// value is what stands behind a key or a dash in its line, if the node can stand there.
func (w *yamlWriter) value(n *node) (text string, nodes []*node, ok bool) {
	if isScalar(n) {
		if n.scalar == "" && w.r.IntN(2) == 0 {
			return "", []*node{n}, true
		}
		text = " " + w.scalar(n.scalar, false)
		if w.r.IntN(4) == 0 && !strings.HasSuffix(text, `"`) && !strings.HasSuffix(text, "'") {
			text += " # a comment"
		}
		return text, []*node{n}, true
	}
	if n.items == nil || w.r.IntN(2) == 0 {
		return "", nil, false
	}
	nodes = append(nodes, n)
	var parts []string
	for _, item := range n.items {
		if !isScalar(item) || item.scalar == "" {
			return "", nil, false
		}
		parts, nodes = append(parts, w.scalar(item.scalar, true)), append(nodes, item)
	}
	comma, end := []string{",", ", ", " , "}[w.r.IntN(3)], []string{"]", " ]"}[w.r.IntN(2)]
	return " [" + strings.Join(parts, comma) + end, nodes, true
}

// lines are those of a block.
func (w *yamlWriter) lines(n *node) (all []writtenLine) {
	below := func(n *node, by int) {
		for _, l := range w.lines(n) {
			all = append(all, writtenLine{l.indent + by, l.text, l.nodes})
		}
	}
	for _, key := range n.keys {
		v := n.fields[key]
		if text, nodes, ok := w.value(v); ok {
			all = append(all, writtenLine{0, key + ":" + text, nodes})
			continue
		}
		all = append(all, writtenLine{0, key + ":", nil})
		by := w.r.IntN(4)
		if v.items == nil {
			by++
		}
		below(v, by)
	}
	for _, item := range n.items {
		if text, nodes, ok := w.value(item); ok {
			all = append(all, writtenLine{0, "-" + text, nodes})
			continue
		}
		if w.r.IntN(2) == 0 {
			all = append(all, writtenLine{0, "-", nil})
			below(item, 1+w.r.IntN(3))
			continue
		}
		at, gap := len(all), 1+w.r.IntN(3) // the first line of the block stands behind the dash
		below(item, 1+gap)
		all[at].indent, all[at].text = 0, "-"+strings.Repeat(" ", gap)+all[at].text
	}
	if len(all) > 0 {
		all[0].nodes = append(all[0].nodes, n)
	}
	return all
}

// document is a text with what YAML does not read between the lines.
func (w *yamlWriter) document(lines []writtenLine) string {
	var out []string
	if w.r.IntN(2) == 0 {
		out = append(out, "---")
	}
	base := w.r.IntN(3)
	for _, l := range lines {
		switch w.r.IntN(8) {
		case 0:
			out = append(out, "   ")
		case 1:
			out = append(out, strings.Repeat(" ", w.r.IntN(5))+"# key: value")
		}
		for _, n := range l.nodes {
			n.line = len(out) + 1
		}
		out = append(out, strings.Repeat(" ", base+l.indent)+l.text+[]string{"", " ", "\r"}[w.r.IntN(3)])
	}
	if w.r.IntN(2) == 0 {
		out = append(out, "...", "{what follows is another document")
	}
	return strings.Join(out, "\n")
}
