package main

import (
	"context"
	"encoding/json"
	"errors"
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
	html := set.String("html", "", "write a page of HTML to `FILE`, - for standard output")
	asJSON := set.String("json", "", "write the figures as JSON to `FILE`, - for standard output")
	resident := set.Uint("resident", 32, "how many waves run at once, if workgroups allow")
	var folders folderList
	set.Var(&folders, "source", "look for source files in `FOLDER`; may be given again")
	rest, status, done := parse(set, args, std)
	if done {
		return status
	}
	if *html == "-" && *asJSON == "-" {
		return fail(std, "profile", errors.New("--html - and --json -: standard output is for one of the two"))
	}
	for _, file := range []string{*html, *asJSON} {
		if err := folderThere(file); err != nil {
			return fail(std, "profile", err)
		}
	}
	p, err := load(ctx, flags, rest)
	switch {
	case errors.Is(err, context.Canceled):
		return interrupted(std, "profile")
	case err != nil:
		return fail(std, "profile", err)
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
	var stopped *profile.StopError
	var stuck *profile.StuckError
	switch {
	case errors.Is(err, context.Canceled):
		return interrupted(std, "profile")
	case errors.As(err, &stopped):
		fmt.Fprintf(std.err, "simtgdb profile: %s", p.DescribeFault(stopped.Event))
		status = statusFault
	case errors.As(err, &stuck):
		fmt.Fprintf(std.err, "simtgdb profile: %v\n", stuck)
		status = statusFault
	case err != nil:
		return fail(std, "profile", err)
	}
	p.Output = std.out
	_, err = await(ctx, func() (bool, error) {
		return true, errors.Join(writeProfile(r, *html, *asJSON, std), p.Save())
	})
	switch {
	case errors.Is(err, context.Canceled):
		return interrupted(std, "profile")
	case err != nil:
		return fail(std, "profile", err)
	}
	return status
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
		SourceName: p.Source.FullName(p.Kernel.Entry), Machine: p.Module.Target.Name, M: p.Machine, Source: p.Source,
		Finder: finder}
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
}

// writeProfile writes a report to files, or as text if there are none.
func writeProfile(r profileReport, html, asJSON string, std stdio) error {
	for _, o := range []struct {
		path  string
		write func(w io.Writer) error
	}{{html, r.HTML}, {asJSON, func(w io.Writer) error { return profileJSON(w, r) }}} {
		var err error
		switch o.path {
		case "":
		case "-":
			err = o.write(std.out)
		default:
			err = writeFile(o.path, o.write)
		}
		if err != nil {
			return err
		}
	}
	if html != "" || asJSON != "" {
		return nil
	}
	return r.Text(std.out)
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
