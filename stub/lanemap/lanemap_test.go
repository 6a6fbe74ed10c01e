package lanemap

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

// drawn has lanes of all states, at more places than there are letters.
func drawn() *Map {
	m := &Map{Waves: []Wave{
		{Number: 3, Group: [3]uint32{1, 0, 2}, Marked: 1,
			Lanes: []Lane{{Active, 0}, {Off, 1}, {Faulted, 0}, {Ended, 0},
				{Absent, 0}, {Active, 30}}},
		{Number: 12, Note: "waits at a barrier", Marked: -1, Lanes: []Lane{{Active, 1}}},
	}}
	for range 31 {
		m.Places = append(m.Places, Place{Name: "k<1>.hip:7"})
	}
	return m
}

func TestText(t *testing.T) {
	var b strings.Builder
	if err := drawn().Text(&b); err != nil {
		t.Fatal(err)
	}
	want := "wave 3 (1,0,2)   Ab!. ~\n                  ^ lane 1\nwave 12 (0,0,0)  B  waits at a " +
		"barrier\nA k<1>.hip:7\n"
	if !strings.HasPrefix(b.String(), want) ||
		!strings.HasSuffix(
			b.String(), "Z k<1>.hip:7\n~ 5 further lines\nsmall: switched off\n! faulted\n. ended\n") {
		t.Errorf("%s\nwant %s", &b, want)
	}
}

// TestSVG: the picture is XML, with a square for each lane that is there, and names are escaped.
func TestSVG(t *testing.T) {
	var b strings.Builder
	if err := drawn().SVG(&b); err != nil {
		t.Fatal(err)
	}
	squares, texts := 0, ""
	for d := xml.NewDecoder(strings.NewReader(b.String())); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, &b)
		}
		switch e := token.(type) {
		case xml.StartElement:
			if e.Name.Local == "rect" {
				squares++
			}
		case xml.CharData:
			texts += string(e)
		}
	}
	const lanes, marks, places = 5, 1, 31
	if squares != lanes+marks+places || !strings.Contains(texts, "k<1>.hip:7") ||
		!strings.Contains(texts, "× faulted") || !strings.Contains(texts, "waits at a barrier") {
		t.Errorf("%d squares in\n%s", squares, &b)
	}
}
