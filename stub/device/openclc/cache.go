package openclc

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"simtgdb/stub/device/buildcache"
)

// rules stands for what this package does to bitcode. It changes whenever that does.
const rules = "2"

// harmless begin the options that name no file which a build depends on, but for -I, whose folders are
// looked at. What has an option of other kinds is not kept.
var harmless = []string{"-D", "-U", "-I", "-cl-", "-W", "-w", "-O", "-g", "-working-directory=", "-std="}

// telling are the words in sources by which they learn what no key can tell: the time, and what is not
// there.
var telling = []string{"__DATE__", "__TIME__", "__TIMESTAMP__", "__has_include", "__has_embed"}

// searched are variables by which the compiler looks for files in more places, or runs other tools.
var searched = []string{"CPATH", "C_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS", "COMPILER_PATH", "LD_PRELOAD"}

// heeded are other variables that the compiler heeds.
var heeded = []string{"SOURCE_DATE_EPOCH", "LD_LIBRARY_PATH"}

// key is the key of a build. It reports whether what comes of it can be kept.
func (b *build) key() (buildcache.Key, bool) {
	var sources [][]byte
	for _, in := range b.request.Inputs {
		sources = append(sources, in.Contents)
	}
	k, ok := b.NewKey("OpenCL C, rules "+rules, b.options, b.request.Headers, sources, b.libraries())
	if !ok {
		return buildcache.Key{}, false
	}
	for _, in := range b.request.Inputs {
		k.Add(fmt.Sprint(in.Bitcode))
	}
	k.Add(b.compileArgs("include")...)
	k.Add(b.linkArgs()...)
	k.Add(fmt.Sprint(b.request.Object), b.Sources)
	for _, r := range append(slices.Clone(replacements), workItems) {
		k.Add(string(r.source))
	}
	return k.Key(), true
}

// NewKey begins the key of a build: with its purpose and options, sources and headers, and with what the
// compiler and files of its own are. It reports whether what comes of the build can be kept.
func (c *Compiler) NewKey(purpose string, options []string, headers map[string][]byte, sources [][]byte,
	files []string) (*buildcache.KeyMaker, bool) {
	if c.Cache == nil || !keepable(options) || slices.ContainsFunc(sources, tells) {
		return nil, false
	}
	for _, name := range searched {
		if os.Getenv(name) != "" {
			return nil, false
		}
	}
	k := buildcache.NewKey(purpose)
	for _, s := range sources {
		k.Add(string(s))
	}
	for _, name := range sortedNames(headers) {
		if tells(headers[name]) {
			return nil, false
		}
		k.Add(name, string(headers[name]))
	}
	k.Add(options...)
	for _, name := range heeded {
		k.Add(name, os.Getenv(name))
	}
	for _, path := range append(c.tools(), files...) {
		what, err := identity(path)
		if err != nil {
			return nil, false
		}
		k.Add(path, what)
	}
	return k, true
}

func sortedNames(files map[string][]byte) []string {
	var names []string
	for n := range files {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// keepable reports whether options say all that a build depends on.
func keepable(options []string) bool {
	for _, o := range options {
		is := func(prefix string) bool { return strings.HasPrefix(o, prefix) }
		plain := is("-f") && !strings.Contains(o, "=") && !is("-fprofile") && !is("-fmodule")
		toOthers := is("-W") && strings.Contains(o, ",") // options of the preprocessor and the linker
		if !plain && !slices.ContainsFunc(harmless, is) || toOthers || tells([]byte(o)) {
			return false
		}
	}
	return true
}

// tells reports whether a source may learn what is not in the key.
func tells(source []byte) bool {
	return slices.ContainsFunc(telling, func(w string) bool { return bytes.Contains(source, []byte(w)) })
}

// identity tells a file from others: small ones by what is in them, those of packages by their size and age.
func identity(path string) (string, error) {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	const small = 1 << 20
	if info.Size() <= small {
		return buildcache.Digest(path)
	}
	return fmt.Sprintf("%s %d %d", path, info.Size(), info.ModTime().UnixNano()), nil
}

// tools are the compiler, the linkers that it may run, and the libraries that it is made of.
func (c *Compiler) tools() []string {
	path := c.Clang
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	all, folders := []string{c.Clang}, append(filepath.SplitList(os.Getenv("LD_LIBRARY_PATH")),
		filepath.Join(filepath.Dir(path), "..", "lib"))
	for _, pattern := range []string{"/lib/*-linux-gnu*", "/usr/lib/*-linux-gnu*", "/usr/lib64", "/usr/lib"} {
		found, _ := filepath.Glob(pattern)
		folders = append(folders, found...)
	}
	for _, tool := range []string{filepath.Join(filepath.Dir(path), "ld.lld"), c.linkTool()} {
		if _, err := os.Stat(tool); err == nil {
			all = append(all, tool)
		}
	}
	if linker, err := exec.LookPath("ld.lld"); err == nil {
		all = append(all, linker)
	}
	f, err := elf.Open(path)
	if err != nil {
		return all // a script: what it says is all that is known of it
	}
	defer f.Close()
	names, _ := f.ImportedLibraries()
	for _, name := range names {
		if !strings.Contains(name, "LLVM") && !strings.Contains(name, "clang") {
			continue
		}
		for _, dir := range folders {
			lib := filepath.Join(dir, name)
			if _, err := os.Stat(lib); err == nil {
				all = append(all, lib)
				break
			}
		}
	}
	return all
}

// Bounds on what is looked at for one build.
const (
	maxUsed   = 4096
	maxPlaces = 1 << 16
)

var errTells = errors.New("what is included cannot be kept track of")

// uses are the files that the sources of a build have included: with their digests, and those that would
// have been included in their places if they were there.
func (b *build) uses() (map[string]string, error) {
	all := map[string]string{}
	for i, in := range b.request.Inputs {
		if in.Bitcode {
			continue
		}
		if err := b.usesOf(all, i); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (b *build) usesOf(all map[string]string, input int) error {
	text, err := os.ReadFile(b.dependencies(input))
	if err != nil {
		return err
	}
	d := Dependencies{Dir: b.dir, Options: b.options}
	return d.Add(all, string(text))
}

// Dependencies are the files that a build depends on besides its key.
type Dependencies struct {
	Dir     string // the build's own folder, whose files are those of the request, with a folder "include"
	Options []string
	// Installed are folders of packages, whose files are included by each other: what comes before them is
	// looked for in the folders of options, and they may ask what else is installed.
	Installed []string
}

// InstalledHeaders are the folders of the headers of HIP, C and C++ that packages have.
func InstalledHeaders() []string {
	all := []string{"/usr/include", "/usr/lib/gcc"}
	for _, pattern := range []string{"/usr/include/c++/*", "/usr/include/*-linux-gnu",
		"/usr/include/*-linux-gnu/c++/*"} {
		found, _ := filepath.Glob(pattern)
		all = append(all, found...)
	}
	return all
}

// Add adds the files of a rule for make, which a compiler wrote: with their digests, and those that would
// have been included in their places if they were there.
func (d *Dependencies) Add(all map[string]string, rule string) (err error) {
	var files, installed []string
	named := append(includeFolders(d.Options), filepath.Join(d.Dir, "include"), "/usr/local/include",
		"/usr/include")
	folders := slices.Clone(named)
	here := workingDirectory(d.Options)
	for _, f := range prerequisites(rule) {
		if !filepath.IsAbs(f) {
			f = filepath.Join(here, f)
		}
		f = filepath.Clean(f)
		dir := filepath.Dir(f)
		switch {
		case strings.Contains(f, "/lib/clang/"): // the compiler's own, which looks for them nowhere else
			if all[f], err = buildcache.Digest(f); err != nil {
				return err
			}
		case d.installed(f):
			installed = append(installed, f)
		default:
			files = append(files, f)
			if !slices.Contains(folders, dir) {
				folders = append(folders, dir)
			}
		}
	}
	if len(files)+len(installed) > maxUsed || len(files)*len(folders)*len(folders) > maxPlaces {
		return errTells
	}
	for _, f := range files {
		if err := d.use(all, f, folders); err != nil {
			return err
		}
	}
	named = append(named, d.Installed...)
	for _, f := range installed {
		if err := d.use(all, f, named); err != nil {
			return err
		}
	}
	return nil
}

func (d *Dependencies) installed(file string) bool {
	return slices.ContainsFunc(d.Installed, func(dir string) bool { return within(dir, file) })
}

// use notes a file, and those places where a file of a name that leads to it would come before it.
func (d *Dependencies) use(all map[string]string, file string, folders []string) error {
	if !d.temporary(file) {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if !d.installed(file) && tells(text) {
			return errTells
		}
		if all[file], err = buildcache.Digest(file); err != nil {
			return err
		}
	}
	for _, from := range folders {
		name, err := filepath.Rel(from, file)
		if err != nil || d.installed(file) && !filepath.IsLocal(name) {
			continue
		}
		for _, dir := range folders {
			other := filepath.Join(dir, name)
			if _, err := os.Lstat(other); errors.Is(err, fs.ErrNotExist) && !d.temporary(other) {
				all[other] = buildcache.Absent
			}
		}
	}
	return nil
}

// temporary reports whether a path is in the build's own folder.
func (d *Dependencies) temporary(path string) bool { return within(d.Dir, path) }

func within(dir, path string) bool { return strings.HasPrefix(path, dir+string(filepath.Separator)) }

func workingDirectory(options []string) string {
	for _, o := range slices.Backward(options) {
		if dir, ok := strings.CutPrefix(o, "-working-directory="); ok {
			return dir
		}
	}
	dir, _ := os.Getwd()
	return dir
}

// includeFolders are those that options name.
func includeFolders(options []string) []string {
	here := workingDirectory(options)
	var all []string
	for _, o := range options {
		if dir, ok := strings.CutPrefix(o, "-I"); ok {
			if !filepath.IsAbs(dir) {
				dir = filepath.Join(here, dir)
			}
			all = append(all, filepath.Clean(dir))
		}
	}
	return all
}

// prerequisites are the files of a rule for make, which a compiler wrote: a target, a colon, and files.
func prerequisites(rule string) []string {
	_, rest, _ := strings.Cut(rule, ":")
	var all []string
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			all = append(all, word.String())
		}
		word.Reset()
	}
	for i := 0; i < len(rest); i++ {
		next := byte(0)
		if i+1 < len(rest) {
			next = rest[i+1]
		}
		switch c := rest[i]; {
		case c == '\\' && next == '\n': // the rule goes on
			end()
			i++
		case c == '\\' && (next == ' ' || next == '#'), c == '$' && next == '$':
			word.WriteByte(next)
			i++
		case c == ' ' || c == '\n' || c == '\t':
			end()
		default:
			word.WriteByte(c)
		}
	}
	end()
	return all
}
