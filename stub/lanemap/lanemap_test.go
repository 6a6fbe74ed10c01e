package lanemap

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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

// elements are the texts and rectangles of a picture in their order, each with where it is, and its size.
func elements(t *testing.T, m *Map) (all []string) {
	t.Helper()
	var b strings.Builder
	if err := m.SVG(&b); err != nil {
		t.Fatal(err)
	}
	var picture struct {
		Width   int    `xml:"width,attr"`
		Height  int    `xml:"height,attr"`
		ViewBox string `xml:"viewBox,attr"`
		Parts   []struct {
			XMLName xml.Name
			X       int    `xml:"x,attr"`
			Y       int    `xml:"y,attr"`
			Width   int    `xml:"width,attr"`
			Height  int    `xml:"height,attr"`
			Fill    string `xml:"fill,attr"`
			Opacity string `xml:"opacity,attr"`
			Class   string `xml:"class,attr"`
			Text    string `xml:",chardata"`
		} `xml:",any"`
	}
	if err := xml.Unmarshal([]byte(b.String()), &picture); err != nil {
		t.Fatalf("%v\n%s", err, &b)
	}
	if want := fmt.Sprintf("0 0 %d %d", picture.Width, picture.Height); picture.ViewBox != want {
		t.Errorf("view box %s, want %s", picture.ViewBox, want)
	}
	all = append(all, fmt.Sprint(picture.Width, "x", picture.Height))
	for _, p := range picture.Parts {
		switch p.XMLName.Local {
		case "text":
			all = append(all, fmt.Sprintf("%d,%d %s", p.X, p.Y, p.Text))
		case "rect":
			all = append(all, strings.TrimRight(fmt.Sprintf("%d,%d %dx%d %s %s%s", p.X, p.Y, p.Width,
				p.Height, p.Fill, p.Opacity, p.Class), " "))
		}
		if p.X+p.Width > picture.Width || p.Y+p.Height > picture.Height || p.X < 0 || p.Y < 0 {
			t.Errorf("%+v is outside of the picture, %d by %d", p, picture.Width, picture.Height)
		}
	}
	return all
}

// TestPlacesInPicture: squares of 11 stand in columns of 12 from 130 on, in rows of 18 from 24 on, under the
// number of each eighth lane and beside the name of their wave; who is switched off is pale; the frame of the
// lane that is looked at is a point larger than its square on each side. What stands for places follows 12
// below the rows, with the same colours.
func TestPlacesInPicture(t *testing.T) {
	m := &Map{Places: []Place{{Name: "a<1>.hip:7"}, {Name: "b.hip:2"}}, Waves: []Wave{
		{Number: 3, Group: [3]uint32{1, 0, 2}, Marked: 0, Lanes: []Lane{{Active, 0}, {Off, 1}, {Faulted, 0},
			{State: Ended}, {}, {}, {}, {}, {Active, 1}}},
		{Number: 12, Note: "waits <here>", Marked: -1, Lanes: []Lane{{Active, 1}}},
	}}
	const blue, orange = "11x11 #0072b2", "11x11 #e69f00"
	if diff := cmp.Diff([]string{"610x162", "130,16 0", "226,16 8",
		"4,34 wave 3 (1,0,2)", "130,24 " + blue + " 1", "142,24 " + orange + " 0.25",
		"154,24 " + blue + " 1", "156,34 ×", "168,34 ·", "226,24 " + orange + " 1", "129,23 13x13  m",
		"246,34 ",
		"4,52 wave 12 (0,0,0)", "130,42 " + orange + " 1", "150,52 waits <here>",
		"130,72 " + blue, "148,82 a<1>.hip:7", "130,90 " + orange, "148,100 b.hip:2",
		"148,118 × faulted", "148,136 · ended", "130,154 full: active; pale: switched off"},
		elements(t, m)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// TestSizeOfPicture: it has room for a wave's note behind all of its lanes; one of nothing says what the
// others mean.
func TestSizeOfPicture(t *testing.T) {
	if diff := cmp.Diff([]string{"610x54", "130,46 full: active; pale: switched off"},
		elements(t, &Map{})); diff != "" {
		t.Errorf("nothing: -want +got\n%s", diff)
	}
	wide := elements(t, &Map{Waves: []Wave{{Marked: 63, Lanes: make([]Lane, 64)}}})
	if want := "1128x72"; wide[0] != want || wide[8] != "802,16 56" || wide[10] != "885,23 13x13  m" {
		t.Errorf("64 lanes: %q, want %s", wide, want)
	}
}

// TestTallies: lanes are counted for each place by what they do; places beyond the colours have these again.
func TestTallies(t *testing.T) {
	m := drawn()
	want := make([]Tally, len(m.Places))
	want[0], want[1], want[30] = Tally{Active: 1, Faulted: 1}, Tally{Active: 1, Off: 1}, Tally{Active: 1}
	if diff := cmp.Diff(want, m.Tallies()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if Colour(8) != Colour(0) || Colour(7) == Colour(0) {
		t.Error("there are not 8 colours")
	}
}

// TestLetters: the last place with a letter has z, the next one the sign of all further ones.
func TestLetters(t *testing.T) {
	m := &Map{Places: make([]Place, 26), Waves: []Wave{{Marked: 0, Lanes: []Lane{{Active, 25}, {Off, 25},
		{Off, 26}, {Active, 26}, {State: Absent}}}}}
	var b strings.Builder
	if err := m.Text(&b); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(b.String(), "wave 0 (0,0,0)  Zz~~\n                ^ lane 0\n") ||
		strings.Contains(b.String(), "further") {
		t.Errorf("%s", &b)
	}
}
