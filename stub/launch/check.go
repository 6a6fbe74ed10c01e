package launch

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"simtgdb/stub/picture"
)

// mostShown is how many differing elements are kept of a buffer.
const mostShown = 8

// A Mismatch is a buffer that does not hold what is expected.
type Mismatch struct {
	Buffer  *Buffer
	Count   uint64       // elements that differ
	Differs []Difference // the first of them
}

// A Difference is one element that is not as expected.
type Difference struct {
	Index     uint64
	Got, Want string
}

// Data is what the buffer holds now.
func (b *Buffer) Data() []byte {
	if b.data != nil {
		return b.data
	}
	return b.Region.Data[:b.Spec.size()]
}

// Expected tells whether the launch has an expectation of the buffer.
func (b *Buffer) Expected() bool { return b.expect != nil }

// Check compares the buffers with what is expected of them and gives those
// that differ.
func (p *Program) Check() []Mismatch {
	var all []Mismatch
	for i := range p.Buffers {
		if m := p.Buffers[i].check(); m.Count > 0 {
			all = append(all, m)
		}
	}
	return all
}

func (b *Buffer) check() Mismatch {
	m := Mismatch{Buffer: b}
	if b.expect == nil || bytes.Equal(b.Data(), b.want) {
		return m
	}
	t := elementTypes[b.Spec.Type]
	for i := range b.Spec.Count {
		at := i * uint64(t.size)
		got, want := b.Data()[at:][:t.size], b.want[at:][:t.size]
		if b.expect.allows(t, got, want) {
			continue
		}
		if m.Count++; len(m.Differs) < mostShown {
			m.Differs = append(m.Differs, difference(t, i, got, want))
		}
	}
	return m
}

// allows tells whether an element is as expected.
func (e *Expect) allows(t *elementType, got, want []byte) bool {
	switch {
	case bytes.Equal(got, want):
		return true
	case t.isNaN(want):
		return t.isNaN(got)
	case e.Exact():
		return false
	}
	g, w := t.value(got), t.value(want)
	if math.IsInf(w, 0) || math.IsInf(g, 0) {
		return g == w
	}
	return math.Abs(g-w) <= e.Abs+e.Rel*math.Abs(w)
}

// difference writes an element for a reader, with its bits where its value
// does not tell it from the expected one.
func difference(t *elementType, index uint64, got, want []byte) Difference {
	d := Difference{index, t.format(got), t.format(want)}
	if d.Got == d.Want {
		d.Got += fmt.Sprintf(" (%#x)", getUint(got))
		d.Want += fmt.Sprintf(" (%#x)", getUint(want))
	}
	return d
}

// Save writes the buffers that the launch wants saved.
func (p *Program) Save() error {
	for i := range p.Buffers {
		b := &p.Buffers[i]
		if b.out == nil {
			continue
		}
		if err := p.save(b); err != nil {
			return fmt.Errorf("save %s: %w", b.Name, err)
		}
	}
	return nil
}

// StandardOutput is the name by which a buffer is saved to standard output.
const StandardOutput = "-"

// SavesToOutput reports whether a buffer is to be saved to standard output.
func (p *Program) SavesToOutput() bool {
	return slices.ContainsFunc(p.Buffers, func(b Buffer) bool {
		return b.out != nil && b.out.Path == StandardOutput
	})
}

func (p *Program) save(b *Buffer) error {
	switch {
	case b.Image != nil && strings.HasSuffix(b.out.Path, ".png"):
		return b.savePNG()
	case b.out.Path != StandardOutput:
		return os.WriteFile(b.out.Path, b.Data(), 0o666)
	case p.Output == nil:
		return errors.New("there is no standard output for it")
	}
	_, err := p.Output.Write(b.Data())
	return err
}

// savePNG saves the first level of an image as a picture.
func (b *Buffer) savePNG() error {
	v, err := picture.New(b.Image, b.Data(), 0, 0, 0)
	if err != nil {
		return err
	}
	f, err := os.Create(b.out.Path)
	if err != nil {
		return err
	}
	return errors.Join(v.PNG(f), f.Close())
}

// Report saves the buffers that the launch wants saved, shows those that it
// wants shown, compares those of which it expects something, and writes what came of it. ok tells whether all
// is as expected.
func (p *Program) Report(w io.Writer) (ok bool, err error) {
	if err := p.Save(); err != nil {
		return false, err
	}
	ok = true
	for i := range p.Buffers {
		b := &p.Buffers[i]
		if b.print != nil {
			if err := b.print.write(w, b); err != nil {
				return ok, err
			}
		}
		if b.expect == nil {
			continue
		}
		same, err := b.compare(w)
		if ok = ok && same; err != nil {
			return ok, err
		}
	}
	return ok, nil
}

// Compare compares the buffers of which something is expected, and writes what came of it.
func (p *Program) Compare(w io.Writer) (ok bool, err error) {
	ok = true
	for i := range p.Buffers {
		if b := &p.Buffers[i]; b.expect != nil && err == nil {
			var same bool
			same, err = b.compare(w)
			ok = ok && same
		}
	}
	return ok, err
}

// compare compares a buffer of which something is expected.
func (b *Buffer) compare(w io.Writer) (ok bool, err error) {
	m := b.check()
	return m.Count == 0, m.write(w)
}

// write says how a buffer compares with what was expected.
func (m *Mismatch) write(w io.Writer) error {
	s := m.Buffer.Spec
	if m.Count == 0 {
		_, err := fmt.Fprintf(w, "%s: all %d elements are as expected\n", m.Buffer.Name, s.Count)
		return err
	}
	fmt.Fprintf(w, "%s: %d of %d elements differ from %s\n", m.Buffer.Name, m.Count, s.Count,
		m.Buffer.expect.File)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "element\tgot\twant\t\n")
	for _, d := range m.Differs {
		fmt.Fprintf(t, "%d\t%s\t%s\t\n", d.Index, d.Got, d.Want)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if more := m.Count - uint64(len(m.Differs)); more > 0 {
		fmt.Fprintf(w, "  and %d more\n", more)
	}
	return nil
}
