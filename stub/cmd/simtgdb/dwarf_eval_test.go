package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/dwarf/expr"
)

// decodedResults is the output as JSON values, by the cases' ids.
func decodedResults(t *testing.T, data []byte) (ids []string, byID map[string]any) {
	t.Helper()
	var out struct {
		Results []map[string]any `json:"results"`
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&out); err != nil {
		t.Fatal(err)
	}
	byID = map[string]any{}
	for _, r := range out.Results {
		id := r["id"].(string)
		ids = append(ids, id)
		byID[id] = r
	}
	return ids, byID
}

// The cases in testdata/dwarf_eval, whose results do not come from the program
// (see generate.py there).
func TestDwarfEval(t *testing.T) {
	inputs, _ := filepath.Glob("testdata/dwarf_eval/*.in.json")
	total := 0
	for _, in := range inputs {
		t.Run(strings.TrimSuffix(filepath.Base(in), ".in.json"), func(t *testing.T) {
			want, err := os.ReadFile(strings.TrimSuffix(in, ".in.json") + ".out.json")
			if err != nil {
				t.Fatal(err)
			}
			var out, errs bytes.Buffer
			if status := dispatch([]string{"dwarf", "eval", "-explain", in}, stdio{nil, &out, &errs}); status != 0 {
				t.Fatalf("exit status %d: %s", status, &errs)
			}
			why := map[string]string{}
			for line := range strings.Lines(errs.String()) {
				for i := range len(line) {
					if line[i] == ':' {
						why[line[:i]] += line[i:]
					}
				}
			}
			wantIDs, wantByID := decodedResults(t, want)
			gotIDs, gotByID := decodedResults(t, out.Bytes())
			if diff := cmp.Diff(wantIDs, gotIDs); diff != "" {
				t.Fatal(diff)
			}
			for _, id := range wantIDs {
				t.Run(id, func(t *testing.T) {
					if diff := cmp.Diff(wantByID[id], gotByID[id]); diff != "" {
						t.Errorf("%s%s", diff, why[id])
					}
				})
			}
			total += len(wantIDs)
		})
	}
	if total < 400 {
		t.Errorf("%d cases, 400 or more expected", total)
	}
}

// The cases must use every operation and end in every kind of error.
func TestDwarfEvalCoverage(t *testing.T) {
	unused := map[string]bool{}
	for _, name := range expr.Operations() {
		unused[name] = true
	}
	missing := map[string]bool{}
	for k := expr.IllFormed; k <= expr.UnknownOp; k++ {
		missing[k.String()] = true
	}
	outputs, _ := filepath.Glob("testdata/dwarf_eval/*.out.json")
	for _, out := range outputs {
		var in evalFile
		data, err := os.ReadFile(strings.TrimSuffix(out, ".out.json") + ".in.json")
		if err == nil {
			err = json.Unmarshal(data, &in)
		}
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		_, byID := decodedResults(t, want)
		for i := range in.Cases {
			c := &in.Cases[i]
			opt, err := c.options()
			if err != nil {
				t.Fatal(err)
			}
			f := expr.Format{AddressSize: max(c.Context.AddressSize, 8*(1-min(1, c.Context.AddressSize))), DWARF64: opt.DWARF64, Version: opt.Version}
			list, _ := expr.Instructions(c.Expression, opt.Encoding, f)
			kind, failed := byID[c.ID].(map[string]any)["error"].(string)
			for j := range list {
				if !failed {
					delete(unused, list[j].Name())
				}
			}
			delete(missing, kind)
		}
	}
	for name := range unused {
		t.Errorf("no case evaluates %s", name)
	}
	for kind := range missing {
		t.Errorf("no case is %s", kind)
	}
}

// Input that cannot be understood is one line and exit status 2.
func TestDwarfEvalBadInput(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"no JSON", "{", "unexpected end of JSON"},
		{"odd hex", `{"cases":[{"id":"a","expression":"123"}]}`, "odd length hex"},
		{"result", `{"cases":[{"id":"a","expression":"30","result":"both"}]}`, `case 0, "a": result "both"`},
		{"number", `{"cases":[{"id":"a","expression":"30","context":{"registers":{"x":"00"}}}]}`, `"x" is not an integer`},
		{"address size", `{"cases":[{"id":"a","expression":"30","context":{"address_size":9}}]}`, "address size 9"},
		{"wave size", `{"cases":[{"id":"a","expression":"30","context":{"wave_size":-1}}]}`, "wave size -1"},
		{"memory", `{"cases":[{"id":"a","expression":"30","context":{"memory":[{"hex":"00"}]}}]}`, "memory 0: address"},
		{"register twice", `{"cases":[{"id":"a","expression":"30","context":{"registers":{"1":"00","0x1":"00"}}}]}`, "register 1 is there twice"},
		{"stack", `{"cases":[{"id":"a","expression":"30","context":{"initial_stack":[{}]}}]}`, "initial_stack 0 has neither kind nor value"},
		{"location", `{"cases":[{"id":"a","expression":"30","context":{"initial_stack":[{"kind":"memory"}]}}]}`, `kind "memory" that is not complete`},
		{"operation", `{"cases":[{"id":"a","expression":"30","options":{"assign":{"DW_OP_x":"0xe0"}}}]}`, "no operation is named DW_OP_x"},
		{"code", `{"cases":[{"id":"a","expression":"30","options":{"assign":{"DW_OP_nop":"0xe9"}}}]}`, "0xe9 is no code"},
		{"read", `{"cases":[{"id":"a","expression":"30","read":{"element_bits":4096,"count":65536}}]}`, "a read of 65536 elements"},
		{"write", `{"cases":[{"id":"a","expression":"30","writes":[{"bits":99999999}]}]}`, "a write of 99999999 bits"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			status := dispatch([]string{"dwarf", "eval", "-"}, stdio{strings.NewReader(tt.in), &out, &errs})
			if status != 2 || !strings.Contains(errs.String(), tt.want) || strings.Count(errs.String(), "\n") != 1 || out.Len() != 0 {
				t.Errorf("status %d, stderr %q, stdout %q; want 2 and %q", status, &errs, &out, tt.want)
			}
		})
	}
	var out, errs bytes.Buffer
	for _, args := range [][]string{{"dwarf"}, {"dwarf", "x"}, {"dwarf", "eval"}, {"dwarf", "eval", "no/such/file"}, {"dwarf", "eval", "-x", "y"}} {
		if status := dispatch(args, stdio{nil, &out, &errs}); status != 2 {
			t.Errorf("%v: status %d", args, status)
		}
	}
}

// Whatever the input, there is a result or an error.
func FuzzDwarfEval(f *testing.F) {
	for _, name := range []string{"cauldron", "frames", "pointers", "overlays"} {
		data, err := os.ReadFile("testdata/dwarf_eval/" + name + ".in.json")
		if err != nil {
			f.Fatal(err)
		}
		var in struct{ Cases []json.RawMessage }
		if err := json.Unmarshal(data, &in); err != nil {
			f.Fatal(err)
		}
		for _, c := range in.Cases {
			f.Add([]byte(`{"cases":[` + string(c) + `]}`))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var out, errs bytes.Buffer
		status := dispatch([]string{"dwarf", "eval", "-"}, stdio{bytes.NewReader(data), &out, &errs})
		if status != 0 && status != 2 || (status == 0) != json.Valid(out.Bytes()) {
			t.Errorf("status %d, output %q", status, &out)
		}
	})
}
