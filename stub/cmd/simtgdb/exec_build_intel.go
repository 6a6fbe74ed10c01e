package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"simtgdb/stub/compile"
	"simtgdb/stub/device"
	"simtgdb/stub/device/openclc"
	"simtgdb/stub/device/transient"
)

// buildForIntel compiles what a program gives to clBuildProgram by ocloc, with more options than it gives,
// and optimized unless they say otherwise.
func buildForIntel(ctx context.Context, r *device.BuildRequest, more string) (*device.Built, error) {
	if r.Object || len(r.Inputs) != 1 || r.Inputs[0].Object {
		return &device.Built{Log: "error: for Intel's processors a program is built of one source; nothing " +
			"is linked\n"}, nil
	}
	words, err := openclc.Split(r.Options + " " + more)
	if err != nil {
		return &device.Built{Log: err.Error() + "\n"}, nil
	}
	work, err := transient.Make("", "simtgdb-ocloc-")
	if err != nil {
		return nil, err
	}
	defer work.Remove()
	source, err := keptSource(work.Path, r.Inputs[0].Contents)
	if err == nil {
		err = writeFiles(work.Path, r.Headers)
	}
	if err != nil {
		return nil, err
	}
	// Names of files are from the program's folder on, which clang has an option for.
	const optimized, from = "-O2", "-working-directory="
	c := compile.Compiler{Dir: work.Path, Options: []string{optimized, "-I", work.Path}}
	for _, word := range words {
		if folder, is := strings.CutPrefix(word, from); is {
			word = "-I" + folder
		}
		if word == "-cl-std=CL1.0" || word == "-cl-std=CL1.1" {
			word = "-cl-std=CL1.2" // with older ones IGC's own header does not compile
		}
		c.Options = append(c.Options, word)
	}
	made, err := c.Compile(ctx, source, r.Processor)
	var wrong *compile.Error
	var missing *compile.MissingError
	switch {
	case errors.As(err, &wrong):
		// The client library knows by clang's words that options are wrong.
		log := strings.ReplaceAll(wrong.Log, "Unrecognized build options:", "error: unknown argument:")
		return &device.Built{Log: log}, nil
	case errors.As(err, &missing):
		return &device.Built{Log: missing.Error() + "\n"}, nil
	case err != nil:
		return nil, err
	}
	if made.Undescribed {
		made.Log += "note: " + undescribed + "\n"
	}
	file, err := os.ReadFile(made.Path)
	return &device.Built{File: file, Log: made.Log}, err
}

// keptSource writes a source where debuggers find it later, if the user has a folder for that.
func keptSource(work string, text []byte) (string, error) {
	folder := kept("opencl")
	if folder == "" || os.MkdirAll(folder, 0o700) != nil {
		folder = work
	}
	return openclc.KeepSource(work, folder, text)
}

// writeFiles writes headers into a folder, and none outside of it.
func writeFiles(folder string, headers []device.BuildHeader) error {
	for _, h := range headers {
		to := filepath.Join(folder, filepath.FromSlash(filepath.Clean("/"+h.Name)))
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(to, h.Contents, 0o600); err != nil {
			return err
		}
	}
	return nil
}
