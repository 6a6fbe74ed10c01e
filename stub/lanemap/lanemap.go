// Package lanemap draws where the lanes of waves stand: a letter for each lane in text ([Map.Text]), a square
// in a picture ([Map.SVG]). It knows nothing of machines: who makes a map says what each lane does, and
// where.
package lanemap

import (
	"fmt"
	"html"
	"io"
	"strings"
)

// A State is what a lane does.
type State byte

const (
	Absent  State = iota // there is no such work-item
	Active               // it executes what its wave does
	Off                  // it is switched off, and stands where that happened
	Faulted              // its access has faulted
	Ended
)

// A Lane is one lane. Place counts the map's places; it means nothing of lanes that are absent or have ended.
type Lane struct {
	State State
	Place int
}

// A Wave is a row of a map.
type Wave struct {
	Number int
	Group  [3]uint32
	Note   string // what is to be said of all of it: that it waits
	Lanes  []Lane
	Marked int // the lane that is looked at, or -1
}

// A Place is where lanes stand: a line of a file, or where no line is known an address, which is its name.
type Place struct {
	Name string
	File string // as the debugging information names it, "" if there is none
	Line int
}

// A Map is what is drawn.
type Map struct {
	Places []Place
	Waves  []Wave
}

// A Tally is how many lanes stand at a place.
type Tally struct{ Active, Off, Faulted int }

// Tallies counts the lanes of each place.
func (m *Map) Tallies() []Tally {
	all := make([]Tally, len(m.Places))
	for _, w := range m.Waves {
		for _, l := range w.Lanes {
			switch l.State {
			case Active:
				all[l.Place].Active++
			case Off:
				all[l.Place].Off++
			case Faulted:
				all[l.Place].Faulted++
			}
		}
	}
	return all
}

// Colour is that of a place, as CSS has it.
func Colour(place int) string { return colours[place%len(colours)] }

const letters = "abcdefghijklmnopqrstuvwxyz"

// letter is that of a place; those behind the last letter share a sign.
func letter(place int) byte {
	if place < len(letters) {
		return letters[place]
	}
	return '~'
}

// sign is a lane's letter in text: a capital one if it is active.
func (l Lane) sign() byte {
	switch l.State {
	case Active:
		return strings.ToUpper(string(letter(l.Place)))[0]
	case Off:
		return letter(l.Place)
	case Faulted:
		return '!'
	case Ended:
		return '.'
	}
	return ' '
}

// Text writes the map: a row of letters for each wave, and what they mean.
func (m *Map) Text(w io.Writer) error {
	var b strings.Builder
	width := 0
	for i := range m.Waves {
		width = max(width, len(m.Waves[i].label()))
	}
	for i := range m.Waves {
		v := &m.Waves[i]
		signs := make([]byte, len(v.Lanes))
		for n, l := range v.Lanes {
			signs[n] = l.sign()
		}
		fmt.Fprintln(&b, strings.TrimRight(fmt.Sprintf("%-*s  %s  %s", width, v.label(), signs, v.Note), " "))
		if v.Marked >= 0 {
			fmt.Fprintf(&b, "%*s^ lane %d\n", width+2+v.Marked, "", v.Marked)
		}
	}
	for i, p := range m.Places {
		if i == len(letters) {
			fmt.Fprintf(&b, "~ %d further lines\n", len(m.Places)-i)
			break
		}
		fmt.Fprintf(&b, "%c %s\n", strings.ToUpper(letters)[i], p.Name)
	}
	for _, key := range m.keys() {
		fmt.Fprintln(&b, key)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// label names a wave.
func (v *Wave) label() string {
	return fmt.Sprintf("wave %d (%d,%d,%d)", v.Number, v.Group[0], v.Group[1], v.Group[2])
}

// keys explain the signs that the map has besides capital letters.
func (m *Map) keys() (all []string) {
	seen := map[State]bool{}
	for _, v := range m.Waves {
		for _, l := range v.Lanes {
			seen[l.State] = true
		}
	}
	for _, k := range []struct {
		state State
		text  string
	}{{Off, "small: switched off"}, {Faulted, "! faulted"}, {Ended, ". ended"}} {
		if seen[k.state] {
			all = append(all, k.text)
		}
	}
	return all
}

// colours are those of places, told apart by people with any sight of colours (after Okabe and Ito), then
// again.
var colours = []string{"#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8a8a00", "#555555"}

const (
	square = 12 // a lane's side
	row    = 18
	top    = 24
	left   = 130
	noted  = 230 // the width of what stands behind a row
)

// SVG writes the map as a picture, legible on light and dark pages.
func (m *Map) SVG(w io.Writer) error {
	lanes := 0
	for i := range m.Waves {
		lanes = max(lanes, len(m.Waves[i].Lanes))
	}
	keys := []string{}
	for _, p := range m.Places {
		keys = append(keys, p.Name)
	}
	for _, k := range m.keys() {
		if k != "small: switched off" {
			keys = append(keys, strings.NewReplacer("! ", "× ", ". ", "· ").Replace(k))
		}
	}
	width := left + max(lanes*square+noted, 40*square)
	height := top + len(m.Waves)*row + 12 + len(keys)*row + row
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" `+
		`font-family="monospace" font-size="12">`+"\n", width, height, width, height)
	b.WriteString("<style>text{fill:#222}rect.m{fill:none;stroke:#222;stroke-width:2}" +
		"svg{background:#fff}@media " +
		"(prefers-color-scheme:dark){text{fill:#ddd}rect.m{stroke:#ddd}svg{background:#111}}</style>\n")
	for n := 0; n < lanes; n += 8 {
		fmt.Fprintf(&b, `<text x="%d" y="%d">%d</text>`, left+n*square, top-8, n)
	}
	b.WriteString("\n")
	for i := range m.Waves {
		m.Waves[i].draw(&b, top+i*row)
	}
	y := top + len(m.Waves)*row + 12
	for i, k := range keys {
		if i < len(m.Places) {
			fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`, left, y, square-1,
				square-1, Colour(i))
		}
		fmt.Fprintf(&b, `<text x="%d" y="%d">%s</text>`+"\n", left+row, y+10, html.EscapeString(k))
		y += row
	}
	fmt.Fprintf(&b, `<text x="%d" y="%d">full: active; pale: switched off</text>`+"\n</svg>\n", left, y+10)
	_, err := io.WriteString(w, b.String())
	return err
}

// draw draws a wave's row.
func (v *Wave) draw(b *strings.Builder, y int) {
	fmt.Fprintf(b, `<text x="4" y="%d">%s</text>`, y+10, html.EscapeString(v.label()))
	for n, l := range v.Lanes {
		x := left + n*square
		switch l.State {
		case Active, Off, Faulted:
			opacity := "1"
			if l.State == Off {
				opacity = "0.25"
			}
			fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s" opacity="%s"/>`, x, y,
				square-1, square-1, Colour(l.Place), opacity)
		case Ended:
			fmt.Fprintf(b, `<text x="%d" y="%d">·</text>`, x+2, y+10)
		}
		if l.State == Faulted {
			fmt.Fprintf(b, `<text x="%d" y="%d">×</text>`, x+2, y+10)
		}
	}
	if v.Marked >= 0 {
		fmt.Fprintf(b, `<rect class="m" x="%d" y="%d" width="%d" height="%d"/>`, left+v.Marked*square-1, y-1,
			square+1, square+1)
	}
	fmt.Fprintf(b, `<text x="%d" y="%d">%s</text>`+
		"\n", left+len(v.Lanes)*square+8, y+10, html.EscapeString(v.Note))
}
