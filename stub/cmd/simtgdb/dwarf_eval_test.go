package main

import (
	"bytes"
	"strings"
	"testing"
)

// dwarfEval runs simtgdb dwarf eval in this process.
func dwarfEval(in string, args ...string) result {
	var out, errs bytes.Buffer
	status := dispatch(append([]string{"dwarf", "eval"}, args...), stdio{strings.NewReader(in), &out, &errs})
	return result{status, out.String(), errs.String()}
}

// TestDwarfEval evaluates a case that ends in an error: the result has its kind,
// standard error the reason, unless it is not wanted.
func TestDwarfEval(t *testing.T) {
	const in = `{"cases":[{"id":"a","expression":"22"},{"id":"b","expression":"35","result":"value"}]}`
	const why = "a: stack-underflow: DW_OP_plus at offset 0: 2 entries needed, 0 on the stack\n"
	for _, tt := range []struct {
		args []string
		err  string
	}{{[]string{"-"}, why}, {[]string{"-explain=false", "-"}, ""}} {
		r := dwarfEval(in, tt.args...)
		if r.status != statusDone || r.err != tt.err ||
			!strings.Contains(r.out, `"error": "stack-underflow"`) ||
			!strings.Contains(r.out, `"value": "0x5"`) {
			t.Errorf("%v: %+v", tt.args, r)
		}
	}
	file := written(t, in)
	if r := dwarfEval("", file); r.status != statusDone || r.err != why {
		t.Errorf("%+v", r)
	}
}

// TestDwarfEvalBadInput: input that cannot be understood is one line and exit
// status 2.
func TestDwarfEvalBadInput(t *testing.T) {
	for _, tt := range []struct {
		in   string
		args []string
		want string
	}{
		{"{", []string{"-"}, "simtgdb dwarf eval: -: unexpected end of JSON"},
		{`{"cases":[{"id":"a","expression":"123"}]}`, []string{"-"}, "odd length hex"},
		{`{"cases":[{"id":"a","expression":"30","result":"both"}]}`, []string{"-"},
			`case 0, "a": result "both"`},
		{"", []string{"no/such/file"}, "no such file"},
		{"", nil, "want one FILE.json, not 0"},
		{"", []string{"a", "b"}, "want one FILE.json, not 2"},
		{"", []string{"-x", "y"}, "flag provided but not defined"},
	} {
		r := dwarfEval(tt.in, tt.args...)
		if r.status != statusInput || !strings.Contains(r.err, tt.want) ||
			strings.Count(r.err, "\n") != 1 || r.out != "" {
			t.Errorf("%v: %+v, want status 2 and %q", tt.args, r, tt.want)
		}
	}
}
