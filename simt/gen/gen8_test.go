package gen

import "testing"

// TestGen8Text holds the text of programs compiled for Gen8 against iga64's.
func TestGen8Text(t *testing.T) {
	compared := 0
	codeSections(t, "gen8/", func(file, section string, code []byte, text []string) {
		for at := 0; len(text) > 0; text = text[1:] {
			in, err := Gen8.Decode(code[at:], uint64(at))
			if err != nil {
				t.Fatalf("%s %s: %v, want %s", file, section, err, text[0])
			}
			if got, want := in.String(), text[0]; got != want {
				t.Errorf("%s %s+%#x:\n%s\nwant\n%s", file, section, at, got, want)
			}
			at += in.Size
			compared++
		}
	})
	if compared < 2000 {
		t.Errorf("%d instructions", compared)
	}
}
