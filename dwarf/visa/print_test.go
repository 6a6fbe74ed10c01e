package visa

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the expected output anew")

func TestPrint(t *testing.T) {
	golden := filepath.Join("testdata", "mutual-O2.txt")
	var out bytes.Buffer
	if err := Print(&out, parseFile(t, "testdata", "igc", "skl", "mutual-O2.dbg")); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(golden, out.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(readFile(t, golden)), out.String()); diff != "" {
		t.Error(diff)
	}
}

type brokenWriter struct{}

var errBroken = errors.New("broken")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestPrintError(t *testing.T) {
	if err := Print(brokenWriter{}, &File{}); !errors.Is(err, errBroken) {
		t.Errorf("error %v", err)
	}
}
