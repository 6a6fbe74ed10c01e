//go:build linux

package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"simtgdb/stub/device/client"
	sums "simtgdb/testdata/built"
	"simtgdb/testdata/sweep"
)

var updatePrograms = flag.Bool("update-programs", false,
	"with SIMTGDB_SWEEP=all, have TestHostProgramsUpToDate write the host programs that it makes")

// committed is the folder of host programs that are there compiled, packed, so that tests need not compile
// them: for x86-64 and the C library of Debian 12, or a later one. Its list.txt has the command of each, as
// programCommand has it. What is not in the list is compiled: one program at least of each way in which users
// have theirs made.
const committed = hostPrograms + "/programs"

// oldestLibrary is the version of the C library that committed programs were linked with.
var oldestLibrary = [2]int{2, 36}

// compilers are what has made them, by what each says of itself.
var compilers = map[string]string{
	"cc":         "cc (Debian 12.2.0-14+deb12u1) 12.2.0",
	"clang++-22": "Debian clang version 22.1.8 (1~deb12u1)",
}

// programCommand is a command as the list has it, on one line. Folders that are others on each machine are
// called as places calls them.
func programCommand(compiler string, args []string) string {
	return strings.Join(append([]string{compiler}, args...), " ")
}

// places are the folders that commands name by a word: those of the client libraries, and of the device
// libraries for later processors.
var places = map[string]func() (string, error){
	"$CUDA":   func() (string, error) { return libraryHere(&client.CUDA) },
	"$HIP":    func() (string, error) { return libraryHere(&client.HIP) },
	"$OPENCL": func() (string, error) { return libraryHere(&client.OpenCL) },
	"$VULKAN": func() (string, error) { return libraryHere(&client.Vulkan) },
	"$LATER":  laterFolder,
}

// libraryHere is the folder of a client library in the cache that lasts.
func libraryHere(l *client.Library) (string, error) {
	cache, _ := libraries()
	return libraryIn(cache, l)
}

// expand puts folders in the places of their names.
func expand(args []string) ([]string, error) {
	args = slices.Clone(args)
	for name, place := range places {
		for i, a := range args {
			if !strings.HasSuffix(a, name) {
				continue
			}
			folder, err := place()
			if err != nil {
				return nil, err
			}
			args[i] = strings.TrimSuffix(a, name) + folder
		}
	}
	return args, nil
}

// sourceName is what a command names a source by.
var sourceName = regexp.MustCompile(`\w+\.(c|cu|hip)\b`)

func isSource(word string) bool { return word != "" && sourceName.FindString(word) == word }

// listed are the commands of the list, each with its file.
var listed = sync.OnceValues(func() (map[string]string, error) {
	text, err := os.ReadFile(committed + "/list.txt")
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		sum := sha256.Sum256([]byte(line))
		name := sourceName.FindString(line) + "-" + hex.EncodeToString(sum[:4]) + ".gz"
		files[line] = filepath.Join(committed, name)
	}
	return files, nil
})

// runsHere reports whether programs for x86-64 and the C library of the list run on this machine.
var runsHere = sync.OnceValue(func() bool {
	if runtime.GOARCH != "amd64" {
		return false
	}
	var here [2]int
	said, err := exec.Command("getconf", "GNU_LIBC_VERSION").Output()
	if err != nil {
		return false
	}
	_, err = fmt.Sscanf(string(said), "glibc %d.%d", &here[0], &here[1])
	return err == nil && slices.Compare(here[:], oldestLibrary[:]) >= 0
})

// committedProgram has the program of a name that a command makes, unpacked, if it can be taken; it is empty
// if not.
func committedProgram(t testing.TB, name, command string) (string, error) {
	packed, err := taken(t, command)
	if packed == nil || err != nil {
		return "", err
	}
	files, err := listed()
	if err != nil {
		return "", err
	}
	folder := filepath.Join(ofThisRun(), filepath.Base(files[command]))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	path := filepath.Join(folder, name)
	return path, os.WriteFile(path, unpack(t, packed), 0o700)
}

// taken is the committed program of a command, packed, if what it is made of is what it was, and nil if not.
func taken(t testing.TB, command string) ([]byte, error) {
	files, err := listed()
	if err != nil || files[command] == "" || !runsHere() {
		return nil, err
	}
	set, packed, err := programSet(t, command, files[command])
	if os.IsNotExist(err) || err == nil && !set.Known() {
		return nil, nil
	}
	return packed, err
}

// needToCompile skips a test where a program has to be compiled, and a file that it takes is not there.
func needToCompile(t testing.TB, compiler string, args []string, files ...string) {
	t.Helper()
	packed, err := taken(t, programCommand(compiler, args))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if _, err := os.Stat(file); err != nil && packed == nil {
			t.Skipf("skipped: %v", err)
		}
	}
}

func unpack(t testing.TB, packed []byte) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	program, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// programSet is what a committed program belongs together with: its command and the files that it is made of,
// of the repository and of HIP.
func programSet(t testing.TB, command, file string) (s *sums.Set, packed []byte, err error) {
	if packed, err = os.ReadFile(file); err != nil {
		return nil, nil, err
	}
	sources, err := sourcesOf(command)
	if err != nil {
		return nil, nil, err
	}
	name := "program " + strings.TrimSuffix(filepath.Base(file), ".gz")
	return sums.OfTexts(t, name, []byte(command), packed, sources), packed, nil
}

// sourcesOf is a digest of those files, which a command may read.
func sourcesOf(command string) ([]byte, error) {
	h := sha256.New()
	if err := digestNamed(h, hostPrograms, command); err != nil {
		return nil, err
	}
	for named, around := range map[string]func() ([]byte, error){
		"hip_debian.h": aroundHIP, "cuda.sh": aroundCUDA} {
		if !strings.Contains(command, named) {
			continue
		}
		sum, err := around()
		if err != nil {
			return nil, err
		}
		h.Write(sum)
	}
	return h.Sum(nil), nil
}

// aroundHIP and aroundCUDA are digests of what programs of HIP and of CUDA include besides, of which checks
// read the text, and of the scripts that they are compiled by.
var (
	aroundHIP = sync.OnceValues(func() ([]byte, error) {
		return digestAll("../../../docs/example", "/usr/include/hip")
	})
	aroundCUDA = sync.OnceValues(func() ([]byte, error) {
		return digestAll("../../../docs/cuda", "../../compile/include/cuda", "../../compile/include/cccl")
	})
)

func digestAll(folders ...string) ([]byte, error) {
	h := sha256.New()
	for _, folder := range folders {
		if err := digestFolder(h, folder, byContents); err != nil && !os.IsNotExist(err) {
			return nil, err
		}
	}
	return h.Sum(nil), nil
}

// TestHostProgramsUpToDate makes committed host programs anew, those that nobody has since they or their
// sources changed, some where compilers are other files, and compares them.
func TestHostProgramsUpToDate(t *testing.T) {
	t.Parallel()
	files, err := listed()
	if err != nil {
		t.Fatal(err)
	}
	needTheirCompilers(t)
	tools := sums.Of(t, "host programs", []string{"cc", "clang++-22", "ld.lld-22"}, committed+"/*")
	var same atomic.Int32
	t.Cleanup(func() {
		if int(same.Load()) == len(files) {
			tools.Keep()
		}
	})
	for _, command := range slices.Sorted(maps.Keys(files)) {
		file := files[command]
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			if *updatePrograms {
				write(t, file, makeNeutral(t, command))
			}
			set, packed, err := programSet(t, command, file)
			if err != nil {
				t.Fatal(err)
			}
			if set.Known() && (tools.Known() || !set.Sampled(8)) {
				return
			}
			if got := makeNeutral(t, command); !bytes.Equal(got, unpack(t, packed)) {
				t.Fatalf("%s is not what this makes of its source: %s", file, command)
			}
			set.Keep()
			same.Add(1)
		})
	}
}

// TestCommitted: what is in the list is there to be run, and nothing else is, such as a program with another
// flag.
func TestCommitted(t *testing.T) {
	if !runsHere() || sweep.All() {
		t.Skip("skipped: no committed program is run")
	}
	const command = "cc missing.c -ldl"
	path, err := committedProgram(t, "missing", command)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode()&0o100 == 0 || filepath.Base(path) != "missing" {
		t.Errorf("%q is no program: %v", path, err)
	}
	if path, err := committedProgram(t, "missing", command+" -O1"); path != "" || err != nil {
		t.Errorf("%q is taken for another: %v", path, err)
	}
}

// needTheirCompilers skips a test where other versions of compilers are installed than have made the
// committed programs, or none.
func needTheirCompilers(t *testing.T) {
	t.Helper()
	for tool, want := range compilers {
		said, err := exec.Command(tool, "--version").Output()
		version, _, _ := strings.Cut(string(said), "\n")
		if err != nil || version != want {
			t.Skipf("skipped: the programs were made by %s, not %s: %v", want, version, err)
		}
	}
}

// write packs a program, unless that is there already.
func write(t *testing.T, file string, program []byte) {
	t.Helper()
	if packed, err := os.ReadFile(file); err == nil && bytes.Equal(unpack(t, packed), program) {
		return
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(program); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, packed.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// objectsOf compiles the sources of a HIP program in a folder, each with an identity that its name makes, in
// which else the place of the source would be, and has the command that links them.
func objectsOf(t *testing.T, words []string, folder string) []string {
	t.Helper()
	flags := slices.DeleteFunc(slices.Clone(words), isSource)
	link := slices.DeleteFunc(slices.Clone(flags), func(w string) bool { return w == "-x" || w == "hip" })
	for _, w := range words {
		if !isSource(w) {
			continue
		}
		object := filepath.Join(folder, w+".o")
		compile := append(slices.Clone(flags[1:]), "-cuid="+hex.EncodeToString([]byte(w)), "-c", w)
		if err := makeProgram(object, flags[0], compile); err != nil {
			t.Fatal(err)
		}
		link = slices.Insert(link, 1, object)
	}
	return link
}

// makeNeutral makes a program that is the same on every machine.
func makeNeutral(t *testing.T, command string) []byte {
	t.Helper()
	top, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	// Debuggers find the host's sources from where tests run.
	words := append(strings.Fields(command), "-ffile-prefix-map="+top+"=../../..")
	path := filepath.Join(t.TempDir(), "program")
	if slices.Contains(words, "hip") {
		words = objectsOf(t, words, filepath.Dir(path))
	}
	if err := makeProgram(path, words[0], words[1:]); err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{top, os.TempDir() + "/"} {
		if bytes.Contains(program, []byte(folder)) {
			t.Errorf("the program has %s in it", folder)
		}
	}
	return program
}
