package main

import (
	"io"
	"os"

	"simtgdb/stub/printf/host"
)

// texts is where what the kernel prints goes.
type texts struct {
	out, err io.Writer
	file     *os.File // or nil: standard output and error
	prefix   bool
	failed   error // the first of writing to the file
}

// openTexts prints to a file, or, if name is empty, to standard output and
// error.
func openTexts(name string, prefix bool, std stdio) (*texts, error) {
	t := &texts{out: std.out, err: std.err, prefix: prefix}
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
	if _, err := out.Write(line); err != nil && t.failed == nil {
		t.failed = err
	}
}

// close closes the file. It reports the first error that there was with it;
// those of standard output are not this one's to say.
func (t *texts) close() error {
	if t.file == nil {
		return nil
	}
	if err := t.file.Close(); t.failed == nil {
		t.failed = err
	}
	return t.failed
}
