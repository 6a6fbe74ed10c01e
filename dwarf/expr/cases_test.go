package expr_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/dwarf/expr/exprjson"
)

// TestCases evaluates the cases of package exprjson, whose results were stated without this program.
func TestCases(t *testing.T) {
	type results struct {
		Results []map[string]any `json:"results"`
	}
	read := func(data []byte, err error) (r results) {
		if err == nil {
			d := json.NewDecoder(bytes.NewReader(data))
			d.UseNumber()
			err = d.Decode(&r)
		}
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	inputs, err := filepath.Glob("exprjson/testdata/*.in.json")
	if err != nil || len(inputs) < 10 {
		t.Fatalf("%d files of cases, %v", len(inputs), err)
	}
	for _, in := range inputs {
		data, err := os.ReadFile(in)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		err = exprjson.Run(data, &out, func(string, error) {})
		got := read(out.Bytes(), err)
		want := read(os.ReadFile(strings.TrimSuffix(in, ".in.json") + ".out.json"))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", in, diff)
		}
	}
}
