package launch

import (
	"fmt"
	"slices"

	"simtgdb/loader/printable"
)

// A FileFlagError says that a client's arguments name a file of the host that the server's own command line
// does not name, for that purpose.
type FileFlagError struct {
	Flag, Path string
}

func (e *FileFlagError) Error() string {
	return fmt.Sprintf("%s %s: whoever connects may name no file of this machine but those that the "+
		"server's own command line names for the same; start the server with that flag",
		e.Flag, printable.Name(e.Path))
}

// A fileFlag is a file of the host that a command line names.
type fileFlag struct {
	flag, path string
	written    bool // it is written, not read
}

// files are the files of the host that the flags and the words after them name.
func (f *Flags) files(words []string) []fileFlag {
	var all []fileFlag
	read := func(flag string, file File) {
		if file.Path != "" {
			all = append(all, fileFlag{flag: flag, path: file.Path})
		}
	}
	read("--launch", hostFile(f.launch))
	read("--code-object", hostFile(f.codeObject))
	for _, w := range words {
		read("--code-object", hostFile(w))
	}
	for _, a := range f.args {
		read("--arg", a.Buffer.Init.File)
	}
	for _, e := range f.expects {
		read("--expect", e.expect.File)
	}
	read("--push", f.shader.PushFile)
	for _, b := range f.shader.Bindings {
		read("--binding", b.Buffer.Init.File)
	}
	for _, v := range f.shader.VisaTables {
		read("--visa-tables", v)
	}
	for _, o := range f.outs {
		all = append(all, fileFlag{"--out", o.file, true})
	}
	return all
}

// Within checks flags that a client of a server gives, with the words after them, against those of the
// server's own command line: the client's may change arguments and sizes, but a file that they have read or
// written is one that the server's own flags have read or written. The error is a *FileFlagError. Anybody who
// gets a connection could otherwise read and write what the server's user can.
func (f *Flags) Within(words []string, own *Flags, ownWords []string) error {
	allowed := own.files(ownWords)
	for _, file := range f.files(words) {
		same := func(a fileFlag) bool { return a.path == file.path && a.written == file.written }
		if !slices.ContainsFunc(allowed, same) {
			return &FileFlagError{file.flag, file.path}
		}
	}
	return nil
}
