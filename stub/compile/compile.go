// Package compile makes what can be simulated of sources of kernels, with the compilers that are installed:
// HIP, CUDA and OpenCL C by clang, the last for Intel by ocloc, GLSL and HLSL by glslang, WGSL by naga or
// tint, Slang by slangc, all with debugging information and without optimization, as far as the caller's
// options do not say otherwise. It knows nothing of launches. Its entry points are [IsSource] and
// [Compiler.Compile].
package compile

import (
	"context"
	"crypto/sha256"
	"debug/elf"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"simtgdb/stub/device/hipc"
	"simtgdb/stub/device/openclc"
	"simtgdb/stub/device/transient"
)

// A Compiler says where results are kept, and with which options besides its own compilers are called.
type Compiler struct {
	Dir     string   // the folder for results, made when it is first needed
	Options []string // they follow the compiler's own
}

// A Result is what came of a source.
type Result struct {
	Path    string   // of the object
	Command []string // that made it
	Short   []string // the same as it is to be shown: without libraries, headers and what is made
	Log     string   // what the compiler said: warnings
	// Undescribed says that ocloc has left debugging information out, which it was asked for: of sources with
	// several kernels, or that print, it does.
	Undescribed bool
}

// An Error says that a compiler does not take a source.
type Error struct {
	Source  string
	Command []string
	Short   []string // as Result's
	Log     string   // what the compiler said
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s: %s does not compile it", e.Source, filepath.Base(e.Command[0]))
}

// A MissingError says that no compiler of a language is installed.
type MissingError struct {
	Source, Language string
	Tools            []string
	Install          string // how to get one
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("%s: no compiler of %s: %s is not installed (%s)", e.Source, e.Language,
		strings.Join(e.Tools, " or "), e.Install)
}

// IsSource reports whether a file is a source by its name.
func IsSource(name string) bool { return languages[filepath.Ext(name)] != nil }

// include are headers for sources where the languages' own are not installed.
//
//go:embed include
var include embed.FS

// Compile compiles a source for a processor, "" for the language's usual one. The error is an *Error if the
// compiler does not take it, and a *MissingError if there is none.
func (c *Compiler) Compile(ctx context.Context, source, target string) (*Result, error) {
	j := &job{source: source, target: target, options: c.Options}
	result, err := c.compile(ctx, j)
	var refused *Error
	if j.spares && errors.As(err, &refused) {
		return c.compile(ctx, &job{source: source, target: target, options: c.Options, whole: true})
	}
	return result, err
}

func (c *Compiler) compile(ctx context.Context, j *job) (*Result, error) {
	source := j.source
	l := languageOf(source, j.target)
	if l == nil {
		return nil, fmt.Errorf("%s is no source of a language that is known", source)
	}
	if _, err := os.Stat(source); err != nil {
		return nil, err
	}
	tool, path := l.find()
	if tool == nil {
		return nil, l.missing(source)
	}
	j.headers = filepath.Join(c.Dir, "include")
	work, err := transient.Make("", "simtgdb-compile-")
	if err != nil {
		return nil, err
	}
	defer work.Remove()
	if err := WriteHeaders(work.Path, j.headers); err != nil {
		return nil, err
	}
	j.tool, j.work = path, work.Path
	args, ext, err := tool.args(j)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", source, err)
	}
	short := append([]string{filepath.Base(path)},
		tool.files(slices.Concat(args, elided(j.plumbing), c.Options), j)...)
	args = slices.Concat(args, j.plumbing, c.Options)
	if j.out, err = c.output(source, ext, append([]string{path}, args...)); err != nil {
		return nil, err
	}
	commands := [][]string{append([]string{path}, tool.files(args, j)...)}
	if len(j.linked) > 0 {
		commands = j.inTwo(path, args)
	}
	command, text, err := j.run(ctx, commands)
	const most = 1 << 20
	said := tool.told(string(text[:min(len(text), most)]), source)
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && ctx.Err() == nil:
		return nil, &Error{source, command, short, said}
	case err != nil:
		return nil, err
	}
	return &Result{j.out, command, short, said, ext == ".zebin" && !described(j.out)}, nil
}

// run runs a compiler's commands until one fails, and gives all of them as one, and what they have said.
func (j *job) run(ctx context.Context, commands [][]string) (command []string, said []byte, err error) {
	for i, one := range commands {
		var unlinked []string
		if i > 0 {
			command = append(command, "&&")
		}
		if i == len(commands)-1 {
			unlinked = j.unlinked
		}
		if command = append(command, one...); err == nil {
			var log []byte
			log, err = openclc.CommandLinked(ctx, j.work, j.tool, one[1:], unlinked)
			said = append(said, log...)
		}
	}
	return command, said, err
}

// described reports whether an ELF file has debugging information.
func described(file string) bool {
	f, err := elf.Open(file)
	if err != nil {
		return true // others say what is wrong with it
	}
	defer f.Close()
	return f.Section(".debug_info") != nil
}

// elided is what stands for options that are not shown.
func elided(options []string) []string {
	if len(options) == 0 {
		return nil
	}
	return []string{"…"}
}

// told is what a tool has said but for what tells nothing: the bare name of the source (glslang) among it.
func (t *tool) told(log, source string) string {
	var told strings.Builder
	for line := range strings.Lines(log) {
		if strings.TrimSpace(line) != source &&
			!slices.ContainsFunc(t.chatter,
				func(begin string) bool { return strings.HasPrefix(line, begin) }) {
			told.WriteString(line)
		}
	}
	if strings.TrimSpace(told.String()) == "" {
		return ""
	}
	return told.String()
}

// output is the file for what a command makes of a source, in a folder that only they have.
func (c *Compiler) output(source, ext string, command []string) (string, error) {
	full, err := filepath.Abs(source)
	if err != nil {
		return "", err
	}
	const digits = 6
	sum := sha256.Sum256([]byte(full + "\x00" + strings.Join(command, "\x00")))
	folder := filepath.Join(c.Dir, hex.EncodeToString(sum[:digits]))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	base := filepath.Base(source)
	return filepath.Join(folder, strings.TrimSuffix(base, filepath.Ext(base))+ext), nil
}

// HeadersDigest tells the headers that WriteHeaders writes from others.
var HeadersDigest = sync.OnceValue(func() string {
	sum := sha256.New()
	sum.Write(hipc.Prelude())
	_ = fs.WalkDir(include, "include", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			text, err := include.ReadFile(name)
			fmt.Fprintf(sum, "%s %d %v\n%s", name, len(text), err, text)
		}
		return err
	})
	return hex.EncodeToString(sum.Sum(nil))
})

// WriteHeaders writes the headers that sources find, unless they are there already, by way of a folder that
// nobody else has: other compilers may be reading them.
func WriteHeaders(work, folder string) error {
	write := func(name string, text []byte) error {
		to := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			return err
		}
		return openclc.Keep(work, to, text)
	}
	if err := write(hipPrelude, hipc.Prelude()); err != nil {
		return err
	}
	return fs.WalkDir(include, "include", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := include.ReadFile(name)
		if err != nil {
			return err
		}
		return write(strings.TrimPrefix(name, "include/"), text)
	})
}
