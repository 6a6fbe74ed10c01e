package main

import (
	"strings"
	"testing"
)

// TestReport: what failed, or has not ended, is told with all that it has printed, and what passed is not.
func TestReport(t *testing.T) {
	const passes = `{"Action":"start","Package":"a"}
{"Action":"output","Package":"a","Test":"TestGood","Output":"quiet\n"}
{"Action":"pass","Package":"a","Test":"TestGood","Elapsed":2.5}
{"Action":"pass","Package":"a","Elapsed":3}
`
	const fails = `{"Action":"start","Package":"b"}
{"Action":"output","Package":"b","Test":"TestBad/x","Output":"    x_test.go:1: wrong\n"}
{"Action":"fail","Package":"b","Test":"TestBad/x","Elapsed":1}
{"Action":"fail","Package":"b","Test":"TestBad","Elapsed":1}
{"Action":"output","Package":"b","Output":"FAIL\tb\n"}
{"Action":"fail","Package":"b","Elapsed":1}
`
	for _, c := range []struct {
		in   string
		ok   bool
		want []string
	}{
		{passes, true, []string{"pass     3.00s  a", "     2.5 s  a TestGood"}},
		{passes + fails, false, []string{"x_test.go:1: wrong\n", "FAIL\tb\n", "fail     1.00s  b"}},
		{passes + `{"Action":"start","Package":"c"}` + "\n" +
			`{"Action":"output","Package":"c","Test":"TestLong","Output":"panic\n"}`,
			false, []string{"c has not ended:\npanic\n"}},
		{passes + `{"ImportPath":"d","Action":"build-output","Output":"d.go:1: no\n"}` + "\n" +
			`{"ImportPath":"d","Action":"build-fail"}` + "\n", false, []string{"d.go:1: no\n"}},
		{"go: no such tool\n", false, []string{"go: no such tool\n"}},
	} {
		var out strings.Builder
		if ok := report(strings.NewReader(c.in), &out); ok != c.ok {
			t.Errorf("%v for\n%s", ok, c.in)
		}
		for _, want := range c.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("no %q in\n%s", want, &out)
			}
		}
		if strings.Contains(out.String(), "quiet") {
			t.Errorf("what passed has been printed:\n%s", &out)
		}
	}
}
