package profile_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"simtgdb/stub/profile"
)

// A session of three launches of two kernels has what each has by itself, added up.
func TestSession(t *testing.T) {
	one := func() (*profile.Report, *profile.Report) {
		a, _, err := profiled(t, testdata+"/launch/reduction.json")
		if err != nil {
			t.Fatal(err)
		}
		b, _, err := profiled(t, testdata+"/launch/saxpy.json")
		if err != nil {
			t.Fatal(err)
		}
		return a, b
	}
	s := &profile.Session{Program: "three <launches>"}
	a, b := one()
	s.Add(a)
	s.Add(b)
	alone, _ := one()
	again, other := one()
	other.Kernel += " of another module"
	s.Add(again)
	s.Finish()
	if s.Count != 3 || len(s.Kernels) != 2 || len(s.Launches) != 3 || s.Launches[2].Nth != 2 {
		t.Fatalf("%d launches, %d kernels, %+v", s.Count, len(s.Kernels), s.Launches)
	}
	k := s.Kernels[0]
	if k.Launches != 2 || k.Turns != 2*alone.Turns || k.Total.Executed != 2*alone.Total.Executed ||
		k.WaveCount != 2*alone.WaveCount || len(k.Waves) != 2*len(alone.Waves) {
		t.Errorf("%d launches, %d turns, %d waves", k.Launches, k.Turns, k.WaveCount)
	}
	second, was := k.Waves[len(alone.Waves)], alone.Waves[0]
	if second.Launch != 2 || second.From != was.From+alone.Turns || second.To != was.To+alone.Turns {
		t.Errorf("the second launch's first wave: %+v, alone %+v", second, was)
	}
	for i, in := range k.Instructions {
		if in.PC != alone.Instructions[i].PC || in.Executed != 2*alone.Instructions[i].Executed {
			t.Fatalf("%+v, alone %+v", in, alone.Instructions[i])
		}
	}
	for i, l := range k.Lines {
		if l.Number != alone.Lines[i].Number || l.Times != 2*alone.Lines[i].Times {
			t.Fatalf("%+v, alone %+v", l, alone.Lines[i])
		}
	}
	s.Add(other)
	if len(s.Kernels) != 3 {
		t.Errorf("%d kernels", len(s.Kernels))
	}
	var text, page, data bytes.Buffer
	for _, err := range []error{s.Text(&text), s.HTML(&page), json.NewEncoder(&data).Encode(s)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"three <launches>: 4 launches of 3 kernels\n",
		"\nreduction: 2 launches, 32 waves of 64 lanes"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	for _, want := range []string{"<h1>three &lt;launches&gt;</h1>", `id="k1-kernel"`, `href="#k2-hottest"`,
		"2 launches, the first with grid", "launch 2, wave 0, "} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("no %q in the page", want)
		}
	}
	var back profile.Session
	if err := json.Unmarshal(data.Bytes(), &back); err != nil || back.Kernels[0].Turns != k.Turns {
		t.Errorf("%v", err)
	}
}
