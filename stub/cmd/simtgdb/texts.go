package main

import (
	"fmt"
	"io"
	"os"

	"simtgdb/stub/printf/host"
)

// texts is where what the kernel prints goes.
type texts struct {
	out, err io.Writer
	file     *os.File
	prefix   bool
	std      stdio
	failed   bool
}

// openTexts prints to a file, or, if name is empty, to standard output and
// error.
func openTexts(name string, prefix bool, std stdio) (*texts, error) {
	t := &texts{out: std.out, err: std.err, prefix: prefix, std: std}
	if name != "" {
		f, err := os.Create(name)
		if err != nil {
			return nil, err
		}
		t.file, t.out, t.err = f, f, f
	}
	return t, nil
}

// print is a host.Host's Sink. A text with a prefix has its line to itself.
func (t *texts) print(text host.Text) {
	out, line := t.out, text.Text
	if text.Stderr {
		out = t.err
	}
	if t.prefix {
		from := "unknown lane"
		if text.From != nil {
			from = text.From.String()
		}
		line = append([]byte(from+": "), line...)
		if line[len(line)-1] != '\n' {
			line = append(line, '\n')
		}
	}
	if _, err := out.Write(line); err != nil {
		t.fail(err)
	}
}

func (t *texts) close() {
	if t.file != nil {
		if err := t.file.Close(); err != nil {
			t.fail(err)
		}
	}
}

// fail says once that texts are lost.
func (t *texts) fail(err error) {
	if !t.failed {
		fmt.Fprintf(t.std.err, "simtgdb run: what the kernel prints: %v\n", err)
	}
	t.failed = true
}
