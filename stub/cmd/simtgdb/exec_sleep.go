package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A sleep is that of a process none of whose threads runs, or wants to.
type sleep struct {
	looked   time.Time
	since    time.Time // zero while it is awake
	switches string    // of each thread so far
}

// of is for how long a process has slept, as far as it was looked at.
func (s *sleep) of(process int) time.Duration {
	now := time.Now()
	const often = 10 * time.Millisecond
	if now.Sub(s.looked) < often {
		return 0
	}
	s.looked = now
	if switches, asleep := switchesOf(process); !asleep || switches != s.switches || s.since.IsZero() {
		s.switches, s.since = switches, now
	}
	return now.Sub(s.since)
}

// switchesOf has how often each thread of a process was given a processor, and reports whether all of them
// wait for something other than a processor or a disk.
func switchesOf(process int) (switches string, asleep bool) {
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", process))
	if err != nil || len(threads) == 0 {
		return "", false
	}
	var all strings.Builder
	for _, name := range threads {
		text, err := os.ReadFile(name)
		if err != nil {
			return "", false
		}
		for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
			line := lines.Text()
			if strings.HasPrefix(line, "State:") && !strings.Contains(line, "S (sleeping)") {
				return "", false
			}
			if strings.Contains(line, "ctxt_switches:") {
				all.WriteString(line)
			}
		}
	}
	return all.String(), true
}
