// Package rtc has what it takes in any language to compile a source that a program has while it runs, as
// hiprtc and NVRTC do: where the source and its headers lie, how the compiler is called, what it calls the
// kernels and variables that expressions name, and how results are kept. It knows no language and no options.
// Its entry points are [Source.Write], [Command.Run], [Probes] and [Keep].
package rtc

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"simtgdb/stub/device/openclc"
)

// A Source is what a program gives.
type Source struct {
	Name    string // that the program has for it
	Default string // the name of the file where that is none
	Text    []byte
	Behind  []byte // what follows the text in the file
	Headers map[string][]byte
	Keep    string // the folder where the source stays, where debuggers find it; "" for nowhere
}

// Write writes the source, the headers into the folder "include", and files of the compiler's own, by their
// paths.
func (s *Source) Write(dir string, files map[string][]byte) (source string, err error) {
	for name, contents := range s.Headers {
		if !filepath.IsLocal(name) {
			return "", fmt.Errorf("a header cannot be called %q", name)
		}
		files[filepath.Join(dir, "include", name)] = contents
	}
	folder := dir
	if s.Keep != "" {
		const digits = 6
		sum := sha256.Sum256(s.Text)
		folder = filepath.Join(s.Keep, hex.EncodeToString(sum[:digits]))
	}
	name := filepath.Base(filepath.Clean("/" + s.Name))
	if name == "/" || name == "." {
		name = s.Default
	}
	source = filepath.Join(folder, name)
	files[source] = slices.Concat(s.Text, s.Behind)
	for path, contents := range files {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return "", err
		}
		if err := openclc.Keep(dir, path, contents); err != nil {
			return "", err
		}
	}
	return source, nil
}

// A Command has a compiler make a file of a source.
type Command struct {
	Compiler  string
	Arguments []string
	// Sparing are arguments that leave out of headers what hardly a source has use for. One that has errors
	// then is compiled with all.
	Sparing []string
	// Unlinked are those by which the compiler does not link, so that it is done apart
	// (openclc.CommandLinked); none where it must not be.
	Unlinked []string
}

// Run gives the file, which is nil if the source has errors, as the log says; an error is that of the system.
func (c *Command) Run(ctx context.Context, dir, source string) (file []byte, log string, err error) {
	if len(c.Sparing) > 0 {
		file, log, err = c.run(ctx, dir, source, c.Sparing)
	}
	if file == nil && err == nil {
		file, log, err = c.run(ctx, dir, source, nil)
	}
	return file, log, err
}

func (c *Command) run(ctx context.Context, dir, source string, more []string) (
	file []byte, log string, err error) {
	out := filepath.Join(dir, "out")
	args := slices.Concat(c.Arguments, more, []string{source, "-o", out})
	text, err := openclc.CommandLinked(ctx, dir, c.Compiler, args, c.Unlinked)
	log = strings.ReplaceAll(string(text), filepath.Dir(source)+string(filepath.Separator), "")
	const most = 1 << 20
	log = log[:min(len(log), most)]
	var exit *exec.ExitError
	if errors.As(err, &exit) && ctx.Err() == nil {
		return nil, log, nil
	}
	if err != nil {
		return nil, "", err
	}
	file, err = os.ReadFile(out)
	return file, log, err
}

// Probe begins the names of variables that tell how an expression is called.
const Probe = "__simtgdb_name_"

// Probes are variables that point at what is named, for the compiler to instantiate it and
// to say what it is called.
func Probes(names []string) []byte {
	var b bytes.Buffer
	b.WriteByte('\n')
	for i, n := range names {
		fmt.Fprintf(
			&b, "extern \"C\" __attribute__((used)) __device__ const void *%s%d = (const void *)&%s;\n",
			Probe, i, strings.TrimPrefix(strings.TrimSpace(n), "&"))
	}
	return b.Bytes()
}

// Named finds what the first n probes point at in a text, by what matches the definition of a probe: its
// number and the name.
func Named(text []byte, pointsAt *regexp.Regexp, n int) ([]string, error) {
	names := make([]string, n)
	for _, m := range pointsAt.FindAllSubmatch(text, -1) {
		if i, err := strconv.Atoi(string(m[1])); err == nil && i < n {
			names[i] = strings.Trim(string(m[2]), `"`)
		}
	}
	for i, name := range names {
		if name == "" {
			return nil, Unnamed(i)
		}
	}
	return names, nil
}

// Unnamed says that nothing is found of a probe.
func Unnamed(i int) error {
	return fmt.Errorf("the compiled program does not say how name %d of it is called", i)
}
