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
