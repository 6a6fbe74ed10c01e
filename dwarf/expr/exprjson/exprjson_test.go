package exprjson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
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

// TestBounds: what a case may ask for at most, and what is said of one that asks for more.
func TestBounds(t *testing.T) {
	const most, more = 1 << 19, 1<<19 + 1 // bits of a value
	typed := func(bits int) string {
		return fmt.Sprintf(`"result":"value","context":{"initial_stack":[{"value":1,"type":"0x20"}],`+
			`"base_types":{"0x20":{"encoding":"unsigned","bits":%d}}}`, bits)
	}
	implicit := func(bits int) string {
		return fmt.Sprintf(`"context":{"initial_stack":[{"kind":"implicit","bits":%d,"value":1}]}`, bits)
	}
	zeros := fmt.Sprintf(`"expression":"30","context":{"memory":[{"address":0,"hex":"%0*d"}]}`, most/4, 0)
	write := func(bits int) string {
		return fmt.Sprintf(`%s,"writes":[{"bits":%d,"value":5}],"read":{"element_bits":8,"count":2}`, zeros,
			bits)
	}
	read := func(bits, count uint64) string {
		return fmt.Sprintf(`%s,"read":{"element_bits":%d,"count":%d}`, zeros, bits, count)
	}
	of := func(member string, n int) string {
		return fmt.Sprintf(`"expression":"30","result":"value","context":{"%s":%d}`, member, n)
	}
	for _, tt := range []struct{ in, want string }{
		{of("address_size", 1), `"bits": 8`}, {of("address_size", 8), `"bits": 64`},
		{of("address_size", 0), `"bits": 64`}, {of("address_size", -1), "address size -1, 1 to 8 expected"},
		{of("wave_size", 1), `"value": "0x0"`}, {of("wave_size", 1024), `"value": "0x0"`},
		{of("wave_size", 1025), "wave size 1025, 1 to 1024 expected"},
		{typed(1), `"bits": 1`}, {typed(most), `"bits": 524288`},
		{typed(0), "a base type of 0 bits"}, {typed(more), "a base type of 524289 bits"},
		{`"result":"value","context":{"initial_stack":[{"value":-2,"type":0}]}`,
			`"value": "0xfffffffffffffffe"`},
		{implicit(most), `"bits": 524288`}, {implicit(most + 8), "that is not complete"},
		{implicit(12), "that is not complete"}, {implicit(-8), "that is not complete"},
		{write(most), `"0x5"`}, {write(more), "a write of 524289 bits"},
		{read(8, 1<<16), `"elements"`}, {read(8, 1<<16+1), "a read of 65537 elements of 8 bits"},
		{read(1<<8, 1<<16), "memory-unavailable"},
		{read(1<<8+1, 1<<16), "a read of 65536 elements of 257 bits"},
		{read(1<<63, 2), "a read of 2 elements of 9223372036854775808 bits"},
	} {
		var out bytes.Buffer
		err := Run([]byte(`{"cases":[{"id":"a",`+tt.in+`}]}`), &out,
			func(_ string, err error) { fmt.Fprintln(&out, err) })
		if err != nil {
			fmt.Fprintln(&out, err)
		}
		if !strings.Contains(out.String(), tt.want) {
			t.Errorf("%.200s: %.300s, want %q", tt.in, &out, tt.want)
		}
	}
}

// TestLanes: memory of a lane is written out with its number, the first one's too; other memory has none.
func TestLanes(t *testing.T) {
	for in, want := range map[string]string{`"aspace":5,"address":8,"lane":0`: `"lane": 0`,
		`"aspace":5,"address":8,"lane":63`: `"lane": 63`, `"aspace":3,"address":8,"lane":0`: "",
		`"aspace":3,"address":8`: ""} {
		var out bytes.Buffer
		in := `{"cases":[{"id":"a","context":{"initial_stack":[{"kind":"memory",` + in + `}]}}]}`
		err := Run([]byte(in), &out, func(_ string, err error) { t.Error(err) })
		got := ""
		if i := strings.Index(out.String(), `"lane"`); i >= 0 {
			got = strings.TrimRight(strings.SplitN(out.String()[i:], "\n", 2)[0], ",")
		}
		if err != nil || got != want || !strings.Contains(out.String(), `"address": "0x8"`) {
			t.Errorf("%s: %v, %s, want %q", in, err, &out, want)
		}
	}
}

// TestParts: a location of many parts is written out up to a bound, itself among them.
func TestParts(t *testing.T) {
	part := expr.Part{Bits: 8, Location: expr.RegisterAt(3, 0)}
	for n, want := range map[int]bool{maxParts - 1: true, maxParts: false} {
		l, err := expr.Compose(slices.Repeat([]expr.Part{part}, n))
		if err != nil {
			t.Fatal(err)
		}
		out, err := locationOut(l)
		if (err == nil) != want || err != nil && expr.KindOf(err) != expr.IllFormed {
			t.Errorf("%d parts: %v", n, err)
		}
		if want && (len(out.Parts) != n || *out.Parts[n-1].Location.Number != 3) {
			t.Errorf("%d parts of %d, the last is %+v", len(out.Parts), n, out.Parts[len(out.Parts)-1])
		}
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
