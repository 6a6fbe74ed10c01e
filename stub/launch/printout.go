package launch

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"simtgdb/loader/printable"
)

// A Printout says how to show a buffer.
type Printout struct {
	Hex          bool
	Columns      uint64 // elements in a line; 0 for as many as are usual
	First, Count uint64 // which elements; Count is 0 for as many as are usual
}

// Elements that are shown of a buffer unless the launch says otherwise, and bounds on what it may say.
const (
	usualShown   = 256
	usualColumns = 8
	maxColumns   = 1 << 12
)

// printoutForms says how a Printout may be written.
const printoutForms = "want hex, columns=N, from=N, count=N with commas between them"

// parsePrintout reads "hex,columns=4,from=16,count=32", each of which may be left out.
func parsePrintout(text string) (*Printout, error) {
	p := &Printout{}
	for _, word := range strings.Split(text, ",") {
		name, number, has := strings.Cut(word, "=")
		to := map[string]*uint64{"columns": &p.Columns, "from": &p.First, "count": &p.Count}[name]
		switch {
		case word == "":
		case word == "hex":
			p.Hex = true
		case to == nil || !has:
			return nil, fmt.Errorf("%q says nothing of how to print; %s", word, printoutForms)
		default:
			v, err := parseCount(number)
			if err != nil {
				return nil, err
			}
			*to = v
		}
	}
	if p.Columns > maxColumns {
		return nil, fmt.Errorf("%d columns are too many, at most %d", p.Columns, uint64(maxColumns))
	}
	return p, nil
}

// parsePrint reads "N" or "NAME", with a Printout behind a comma.
func parsePrint(text string) (bufferKey, *Printout, error) {
	label, how, _ := strings.Cut(text, ",")
	key, err := parseKey(label)
	if err != nil {
		return key, nil, err
	}
	p, err := parsePrintout(how)
	return key, p, err
}

// write shows elements in lines that begin with the index of their first one.
func (p *Printout) write(w io.Writer, b *Buffer) error {
	t := elementTypes[b.Spec.Type]
	format := t.format
	if p.Hex {
		format = func(e []byte) string { return fmt.Sprintf("0x%0*x", 2*t.size, getUint(e)) }
	}
	columns, most := p.Columns, p.Count
	if columns == 0 {
		columns = usualColumns
	}
	if most == 0 {
		most = usualShown
	}
	first := min(p.First, b.Spec.Count)
	end := first + min(most, b.Spec.Count-first)
	if _, err := fmt.Fprintf(w, "%s: %s[%d]\n", b.Name, b.Spec.Type, b.Spec.Count); err != nil {
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 1, ' ', tabwriter.AlignRight)
	for i := first; i < end; i += columns {
		fmt.Fprintf(table, " [%d]\t", i)
		for k := i; k < min(i+columns, end); k++ {
			fmt.Fprintf(table, "%s\t", format(b.Data()[k*uint64(t.size):][:t.size]))
		}
		fmt.Fprintln(table)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if end < b.Spec.Count {
		_, err := fmt.Fprintf(w, "  and %s\n", count(int(b.Spec.Count-end), "more element"))
		return err
	}
	return nil
}

// Summary says in one line what has run, after it has ended.
func (p *Program) Summary() string {
	name := p.Source.FullName(p.Kernel.Entry)
	if name == "" {
		name = p.Kernel.Name
	}
	d := &p.Machine.Dispatch
	product := func(sizes [3]uint32) int { return int(sizes[0]) * int(sizes[1]) * int(sizes[2]) }
	s := p.Machine.Stats()
	return fmt.Sprintf("%s has run to its end: %s of %s, %s, %s", printable.Name(name),
		count(product(d.Groups()), "workgroup"), count(product(d.Block), "work-item"), count(int(s.Waves), "wave"),
		count(int(s.Insts), "wave instruction"))
}
