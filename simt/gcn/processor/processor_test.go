package processor

import "testing"

// TestNames: each name is of one processor, which has a name that means it; sets hold what they say.
func TestNames(t *testing.T) {
	for _, name := range Names() {
		s, ok := Named(name)
		if !ok || s == 0 || s&(s-1) != 0 {
			t.Errorf("%s is %#x", name, uint32(s))
		}
		if again, ok := Named(s.String()); !ok || again != s {
			t.Errorf("%s is called %s", name, s)
		}
		if s.IsLater() == (s&GFX9 != 0) {
			t.Errorf("%s is of gfx9 and later, or neither", name)
		}
	}
	if s, ok := Named("gfx803"); ok || s != 0 {
		t.Errorf("gfx803 is %s", s)
	}
	for s, want := range map[Set]string{GFX90A: "gfx90a", GFX1010: "gfx1010", GFX1011: "gfx1011",
		GFX1030: "gfx1030",
		GFX1100: "gfx1100", GFX1150: "gfx1150", GFX1200: "gfx1200", GFX1250: "gfx1250"} {
		if s.String() != want { // of several the first
			t.Errorf("%s is called %s", want, s)
		}
	}
	if all := GFX942On | GFX10; GFX90AOn&^all != GFX90A || all.String() != "targets(0x730)" {
		t.Error(all)
	}
}
