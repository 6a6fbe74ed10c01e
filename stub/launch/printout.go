package launch

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"simtgdb/loader/printable"
	"simtgdb/simt/texel"
	"simtgdb/stub/picture"
)

// A Printout says how to show a buffer.
type Printout struct {
	Hex          bool
	Picture      bool // in letters, as an image: what images are if nothing else is said
	Level, Layer uint64
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
const printoutForms = "want hex, columns=N, from=N, count=N, or picture, columns=N, level=N, layer=N, with " +
	"commas between them"

// parsePrintout reads "hex,columns=4,from=16,count=32", each of which may be left out.
func parsePrintout(text string) (*Printout, error) {
	p := &Printout{}
	for _, word := range strings.Split(text, ",") {
		name, number, has := strings.Cut(word, "=")
		to := map[string]*uint64{"columns": &p.Columns, "from": &p.First, "count": &p.Count,
			"level": &p.Level, "layer": &p.Layer}[name]
		switch {
		case word == "":
		case word == "hex":
			p.Hex = true
		case word == "picture":
			p.Picture = true
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
	if p.Picture || b.Image != nil && !p.Hex && p.Columns == 0 && p.First == 0 && p.Count == 0 {
		return p.draw(w, b)
	}
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

// draw shows an image in letters, and a buffer as one that is some columns wide.
func (p *Printout) draw(w io.Writer, b *Buffer) error {
	m := b.Image
	if m == nil {
		var err error
		if m, err = p.imageOf(b); err != nil {
			return fmt.Errorf("%s: %w", b.Name, err)
		}
	}
	v, err := picture.New(m, b.Data(), int(min(p.Level, 1<<16)), int(min(p.Layer, 1<<20)), 0)
	if err != nil {
		return fmt.Errorf("%s: %w", b.Name, err)
	}
	if _, err := fmt.Fprintf(w, "%s: %s\n", b.Name, picture.Describe(m)); err != nil {
		return err
	}
	return v.Show(w)
}

// imageOf is the image that a buffer is shown as.
func (p *Printout) imageOf(b *Buffer) (*texel.Image, error) {
	kinds := map[byte]string{'f': "sfloat", 'i': "sint", 'u': "uint"}
	f := texel.ByName(fmt.Sprintf("r%s_%s", b.Spec.Type[1:], kinds[b.Spec.Type[0]]))
	switch {
	case f == nil:
		return nil, fmt.Errorf("numbers of the type %s are not shown as a picture", b.Spec.Type)
	case p.Columns == 0:
		return nil, errors.New("a picture of a buffer wants its columns: picture,columns=64")
	case b.Spec.Count < p.Columns:
		return nil, fmt.Errorf("%s are no row of %d columns", count(int(b.Spec.Count), "element"), p.Columns)
	}
	m := texel.NewImage(f, texel.Plane, [3]int{int(p.Columns), int(b.Spec.Count / p.Columns), 1}, 1, 1)
	return &m, m.Check()
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
		count(product(d.Groups()), "workgroup"), count(product(d.Block), "work-item"),
		count(int(s.Waves), "wave"), count(int(s.Insts), "wave instruction"))
}
