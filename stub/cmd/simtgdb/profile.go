package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"simtgdb/loader/printable"
	"simtgdb/stub/launch"
	"simtgdb/stub/profile"
	"simtgdb/stub/source"
)

// profileCommand runs a kernel and says where it spent its instructions.
func profileCommand(args []string, std stdio) int {
	ctx, stop := interruptible(os.Interrupt)
	defer stop()
	set := newFlags("profile")
	flags := launchFlags()
	flags.Register(set)
	compileSources(flags, set, std.err)
	var to profileFiles
	to.register(set)
	against := set.String("against", "", "compare with an earlier run, whose --json is `FILE`")
	resident := set.Uint("resident", 32, "how many waves run at once, if workgroups allow")
	var folders folderList
	set.Var(&folders, "source", "look for source files in `FOLDER`; may be given again")
	rest, status, done := parse(set, args, std)
	if done {
		return status
	}
	if err := to.check(); err != nil {
		return fail(std, "profile", err)
	}
	before, err := earlier(*against)
	if err != nil {
		return fail(std, "profile", err)
	}
	p, err := load(ctx, flags, rest)
	if err != nil {
		return profileFails(err, std)
	}
	warn(p, "profile", std)
	texts, err := openTexts(os.DevNull, false, std)
	if err != nil {
		return fail(std, "profile", err)
	}
	p.Host.Sink = texts.print
	defer texts.close()
	if ev, err := p.RunBefore(ctx); err != nil {
		return fail(std, "profile", fmt.Errorf("what runs before: %v: %w", ev.Kind, err))
	}
	if !p.Machine.AllAtOnce {
		p.Machine.Resident = int(max(*resident, 1))
	}
	r, err := profile.Run(ctx, profiled(p, folders))
	status, shown := profileEnds(p, err, std)
	if !shown {
		return status
	}
	p.Output = std.out
	_, err = await(ctx, func() (bool, error) {
		return true, errors.Join(to.write(r, before, std), p.Save())
	})
	if err != nil {
		return profileFails(err, std)
	}
	return status
}

// profileFails says why there is no profile, if nobody has interrupted it.
func profileFails(err error, std stdio) int {
	if errors.Is(err, context.Canceled) {
		return interrupted(std, "profile")
	}
	return fail(std, "profile", err)
}

// profileEnds says what has ended the run, and whether there is a profile to be shown.
func profileEnds(p *launch.Program, err error, std stdio) (status int, shown bool) {
	var stopped *profile.StopError
	var stuck *profile.StuckError
	switch {
	case errors.Is(err, context.Canceled):
		return interrupted(std, "profile"), false
	case errors.As(err, &stopped):
		fmt.Fprintf(std.err, "simtgdb profile: %s", p.DescribeFault(stopped.Event))
		return statusFault, true
	case errors.As(err, &stuck):
		fmt.Fprintf(std.err, "simtgdb profile: %v\n", stuck)
		return statusFault, true
	case err != nil:
		return fail(std, "profile", err), false
	}
	return statusDone, true
}

// profiled is a program as profiles have it. Its sources are looked for in folders, and beside its code.
func profiled(p *launch.Program, folders []string) *profile.Program {
	finder := &source.Finder{Folders: folders, Within: p.Source}
	if f := p.Spec.CodeObject; f.FS != nil {
		finder.Trees = []fs.FS{f.FS}
		if sources, err := fs.Sub(f.FS, "src"); err == nil { // the demonstration's
			finder.Trees = append(finder.Trees, sources)
		}
	} else {
		finder.Folders = append(finder.Folders, filepath.Dir(f.Path))
	}
	return &profile.Program{Name: p.Spec.CodeObject.String(), Kernel: p.Kernel.Name,
		SourceName: p.Source.FullName(p.Kernel.Entry), Machine: p.Module.Target.Name, M: p.Machine,
		Source: p.Source, Finder: finder}
}

// folderThere is what is wrong with where a file is to be written in the end; "" and "-" are none.
func folderThere(file string) error {
	if file == "" || file == "-" {
		return nil
	}
	folder := filepath.Dir(file)
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return fmt.Errorf("%s cannot be written: there is no folder %s", printable.Name(file),
			printable.Name(folder))
	}
	return nil
}

// A folderList is a flag that may be given several times.
type folderList []string

func (l *folderList) String() string     { return fmt.Sprint(*l) }
func (l *folderList) Set(s string) error { *l = append(*l, s); return nil }

// A profileReport is what can be written as a profile.
type profileReport interface {
	Text(w io.Writer) error
	HTML(w io.Writer) error
	Pprof(w io.Writer) error
	Folded(w io.Writer) error
	Speedscope(w io.Writer) error
	Tree(w io.Writer) error
}

// profileForms are the forms that a profile is written in besides text, with the ends of names that stand for
// them where a name is all that is given: longer ones first.
var profileForms = []struct {
	flag, usage string
	ends        []string
	write       func(r profileReport, w io.Writer) error
}{
	{"html", "write a page of HTML to `FILE`, - for standard output", []string{".html", ".htm"},
		profileReport.HTML},
	{"speedscope", "write the calls with what was executed there to `FILE`, for speedscope",
		[]string{".speedscope.json"}, profileReport.Speedscope},
	{"json", "write the figures as JSON to `FILE`, - for standard output", []string{".json"},
		func(r profileReport, w io.Writer) error { return profileJSON(w, r) }},
	{"pprof", "write the same to `FILE`, for go tool pprof and the like", []string{".pb.gz", ".pprof"},
		profileReport.Pprof},
	{"tree", "write functions below those that call them to `FILE`, - for standard output", []string{".tree"},
		profileReport.Tree},
	{"folded", "write the same to `FILE`, a stack a line, as flamegraph.pl takes them", []string{".folded"},
		profileReport.Folded},
}

// profileFiles are where a profile is to be written, in the order of profileForms.
type profileFiles []string

func (f *profileFiles) register(set *flag.FlagSet) {
	*f = make([]string, len(profileForms))
	for i, form := range profileForms {
		set.StringVar(&(*f)[i], form.flag, "", form.usage)
	}
}

// check says what is wrong with them.
func (f profileFiles) check() error {
	out := ""
	for i, file := range f {
		if err := folderThere(file); err != nil {
			return err
		}
		if file == "-" && out != "" {
			return fmt.Errorf("--%s - and --%s -: standard output is for one of the two", out,
				profileForms[i].flag)
		}
		if file == "-" {
			out = profileForms[i].flag
		}
	}
	return nil
}

// write writes a report to files, or as text if there are none: beside an earlier one, if that is given.
func (f profileFiles) write(r, before *profile.Report, std stdio) error {
	written := false
	for i, file := range f {
		if file == "" {
			continue
		}
		written = true
		how := func(w io.Writer) error { return profileForms[i].write(r, w) }
		if err := toFile(file, std.out, how); err != nil {
			return err
		}
	}
	switch {
	case before != nil:
		return r.Compare(std.out, before)
	case written:
		return nil
	}
	return r.Text(std.out)
}

// toFile writes a file of what a function writes; "-" is an output.
func toFile(path string, out io.Writer, write func(w io.Writer) error) error {
	if path == "-" {
		return write(out)
	}
	return writeFile(path, write)
}

// earlier is the report of an earlier run in a file; nil for none.
func earlier(file string) (*profile.Report, error) {
	if file == "" {
		return nil, nil
	}
	data, err := launch.File{Path: file}.Read()
	if err != nil {
		return nil, fmt.Errorf("--against: %w", err)
	}
	r, err := profile.Read(data)
	if err != nil {
		return nil, fmt.Errorf("--against %s: %w", printable.Name(file), err)
	}
	return r, nil
}

func profileJSON(w io.Writer, r profileReport) error {
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	return e.Encode(r)
}

// writeFile makes a file of what a function writes.
func writeFile(path string, write func(w io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	err = write(f)
	return errors.Join(err, f.Close())
}
