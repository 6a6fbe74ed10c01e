// Package suite runs what a folder has to hold programs against: launch files with expectations, and gdb
// scripts with transcripts of what gdb prints. It starts the program and gdb for each, several at a time, and
// reports in the forms that CI systems read. It knows nothing of kernels, and of gdb only what differs from
// one version to another.
//
// Entry points: [Find] for the cases of folders, [Shard.Of] for those of one machine among several,
// [Runner.Run] to run them, and [WriteJUnit] and [WriteTAP].
package suite

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A Kind is what a case consists of.
type Kind int

const (
	Launch Kind = iota // a launch file: the program runs it, and its buffers are as expected
	Script             // a gdb script: gdb prints what the transcript beside it has
)

// A Case is one thing to run.
type Case struct {
	Name string // its path, as it was found
	Kind Kind
}

// Transcript is the file with what a script prints.
func (c Case) Transcript() string { return strings.TrimSuffix(c.Name, ".gdb") + ".txt" }

// TranscriptOf is the transcript that holds for a version of gdb, the number before the point: NAME.gdb15.txt
// for 15 and later ones, if it is there, and else NAME.txt.
func (c Case) TranscriptOf(version int) string {
	best, file := 0, c.Transcript()
	prefix := strings.TrimSuffix(c.Name, ".gdb") + ".gdb"
	entries, err := os.ReadDir(filepath.Dir(c.Name))
	if err != nil {
		return file
	}
	for _, e := range entries {
		rest, ok := strings.CutPrefix(e.Name(), filepath.Base(prefix))
		digits, isText := strings.CutSuffix(rest, ".txt")
		n, err := strconv.Atoi(digits)
		if ok && isText && err == nil && n <= version && n > best {
			best, file = n, filepath.Join(filepath.Dir(c.Name), e.Name())
		}
	}
	return file
}

// maxLaunchFile is the size of a file up to which it may be a launch file.
const maxLaunchFile = 1 << 20

// Find finds the cases in folders and among files, sorted, each once. With all, scripts without a transcript
// are cases too.
func Find(paths []string, all bool) ([]Case, error) {
	var cases []Case
	for _, path := range paths {
		err := filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() {
				if name != path && strings.HasPrefix(d.Name(), ".") {
					return fs.SkipDir
				}
				return nil
			}
			switch c := (Case{Name: name}); {
			case strings.HasSuffix(name, ".gdb"):
				c.Kind = Script
				if _, err := os.Stat(c.Transcript()); err == nil || all {
					cases = append(cases, c)
				}
			case strings.HasSuffix(name, ".json"):
				is, err := isLaunch(name)
				if err != nil {
					return err
				}
				if is {
					cases = append(cases, c)
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(cases, func(a, b Case) int { return strings.Compare(a.Name, b.Name) })
	return slices.Compact(cases), nil
}

// isLaunch reports whether a file is a launch file that expects something. What is no JSON is none.
func isLaunch(name string) (bool, error) {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxLaunchFile {
		return false, err
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return false, err
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(text, &fields) != nil || fields["code_object"] == nil {
		return false, nil
	}
	return bytes.Contains(text, []byte(`"expect"`)), nil
}

// A Shard is the part of all cases that one machine of Count runs; Index counts from 0.
type Shard struct{ Index, Count int }

// ParseShard reads "2/5", the second of five parts.
func ParseShard(text string) (Shard, error) {
	var s Shard
	if n, err := fmt.Sscanf(text, "%d/%d", &s.Index, &s.Count); n != 2 || err != nil || s.Index < 1 ||
		s.Index > s.Count || fmt.Sprintf("%d/%d", s.Index, s.Count) != text {
		return Shard{}, fmt.Errorf("shard %q: want I/N, such as 2/5, with I from 1 to N", text)
	}
	s.Index--
	return s, nil
}

// ShardOf is the part that the environment names, as Bazel (TEST_SHARD_INDEX, TEST_TOTAL_SHARDS) and Slurm's
// job arrays (SLURM_ARRAY_TASK_ID, _MIN, _COUNT) have it; all if it names none.
func ShardOf(getenv func(string) string) (Shard, error) {
	for _, names := range [][3]string{{"TEST_SHARD_INDEX", "", "TEST_TOTAL_SHARDS"},
		{"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_COUNT"}} {
		index, first, count := getenv(names[0]), "0", getenv(names[2])
		if names[1] != "" {
			first = getenv(names[1])
		}
		if index == "" || count == "" {
			continue
		}
		var i, f, n int
		if _, err := fmt.Sscan(index+" "+first+" "+count, &i, &f, &n); err != nil || i < f || i-f >= n {
			return Shard{}, fmt.Errorf("%s=%s, %s=%s: no part of all", names[0], index, names[2], count)
		}
		return Shard{i - f, n}, nil
	}
	return Shard{0, 1}, nil
}

// Of is the shard's part of some cases: all shards' together are all, each once.
func (s Shard) Of(all []Case) []Case {
	var mine []Case
	for i, c := range all {
		if i%s.Count == s.Index {
			mine = append(mine, c)
		}
	}
	return mine
}
