package exprjson

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

// TestRun evaluates the cases in testdata, whose results do not come from the program
// (see generate.py there).
func TestRun(t *testing.T) {
	inputs, _ := filepath.Glob("testdata/*.in.json")
	total := 0
	for _, in := range inputs {
		t.Run(strings.TrimSuffix(filepath.Base(in), ".in.json"), func(t *testing.T) {
			want, err := os.ReadFile(strings.TrimSuffix(in, ".in.json") + ".out.json")
			if err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(in)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			why := map[string]error{}
			if err := Run(data, &out, func(id string, err error) { why[id] = err }); err != nil {
				t.Fatal(err)
			}
			wantIDs, wantByID := decodedResults(t, want)
			gotIDs, gotByID := decodedResults(t, out.Bytes())
			if diff := cmp.Diff(wantIDs, gotIDs); diff != "" {
				t.Fatal(diff)
			}
			for _, id := range wantIDs {
				t.Run(id, func(t *testing.T) {
					if diff := cmp.Diff(wantByID[id], gotByID[id]); diff != "" {
						t.Errorf("%s%v", diff, why[id])
					}
					_, failed := wantByID[id].(map[string]any)["error"]
					if failed && (why[id] == nil || strings.Count(why[id].Error(), "\n") != 0) {
						t.Errorf("why: %v, one line expected", why[id])
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

// TestCoverage: the cases use every operation and end in every kind of error.
func TestCoverage(t *testing.T) {
	unused := map[string]bool{}
	for _, name := range expr.Operations() {
		unused[name] = true
	}
	missing := map[string]bool{}
	for k := expr.IllFormed; k <= expr.UnknownOp; k++ {
		missing[k.String()] = true
	}
	outputs, _ := filepath.Glob("testdata/*.out.json")
	for _, out := range outputs {
		var in input
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
			f := expr.Format{AddressSize: max(c.Context.AddressSize, 8*(1-min(1, c.Context.AddressSize))),
				DWARF64: opt.DWARF64, Version: opt.Version}
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

// TestBadInput gives what cannot be understood.
func TestBadInput(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"no JSON", "{", "unexpected end of JSON"},
		{"odd hex", `{"cases":[{"id":"a","expression":"123"}]}`, "odd length hex"},
		{"result", `{"cases":[{"id":"a","expression":"30","result":"both"}]}`, `case 0, "a": result "both"`},
		{"number", `{"cases":[{"id":"a","expression":"30","context":{"registers":{"x":"00"}}}]}`,
			`"x" is not an integer`},
		{"address size", `{"cases":[{"id":"a","expression":"30","context":{"address_size":9}}]}`,
			"address size 9"},
		{"wave size", `{"cases":[{"id":"a","expression":"30","context":{"wave_size":-1}}]}`, "wave size -1"},
		{"memory", `{"cases":[{"id":"a","expression":"30","context":{"memory":[{"hex":"00"}]}}]}`,
			"memory 0: address"},
		{"register twice",
			`{"cases":[{"id":"a","expression":"30","context":{"registers":{"1":"00","0x1":"00"}}}]}`,
			"register 1 is there twice"},
		{"stack", `{"cases":[{"id":"a","expression":"30","context":{"initial_stack":[{}]}}]}`,
			"initial_stack 0 has neither kind nor value"},
		{"location",
			`{"cases":[{"id":"a","expression":"30","context":{"initial_stack":[{"kind":"memory"}]}}]}`,
			`kind "memory" that is not complete`},
		{"operation", `{"cases":[{"id":"a","expression":"30","options":{"assign":{"DW_OP_x":"0xe0"}}}]}`,
			"no operation is named DW_OP_x"},
		{"code", `{"cases":[{"id":"a","expression":"30","options":{"assign":{"DW_OP_nop":"0xe9"}}}]}`,
			"0xe9 is no code"},
		{"read", `{"cases":[{"id":"a","expression":"30","read":{"element_bits":4096,"count":65536}}]}`,
			"a read of 65536 elements"},
		{"write", `{"cases":[{"id":"a","expression":"30","writes":[{"bits":99999999}]}]}`,
			"a write of 99999999 bits"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			err := Run([]byte(tt.in), &out, func(string, error) {})
			if err == nil || !strings.Contains(err.Error(), tt.want) || out.Len() != 0 {
				t.Errorf("error %v, output %q; want %q", err, &out, tt.want)
			}
		})
	}
}

// FuzzRun: whatever the input, there is a result or an error.
func FuzzRun(f *testing.F) {
	for _, name := range []string{"cauldron", "frames", "pointers", "overlays"} {
		data, err := os.ReadFile("testdata/" + name + ".in.json")
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
		var out bytes.Buffer
		if err := Run(data, &out, func(string, error) {}); (err == nil) != json.Valid(out.Bytes()) {
			t.Errorf("error %v, output %q", err, &out)
		}
	})
}
