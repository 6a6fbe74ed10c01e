//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"simtgdb/stub/profile"
)

// TestExecProfile: the profile of a host program has all its launches, by kernel.
func TestExecProfile(t *testing.T) {
	program := buildProgram(t, "kernels.O3.hipfb")
	file := filepath.Join(t.TempDir(), "profile.json")
	r := execute(t, []string{"--stats", "--profile", file}, program, "rounds")
	if r.status != 0 || r.out != "rounds: done\n" {
		t.Fatalf("status %d: %s%s", r.status, r.out, r.err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var s profile.Session
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	if s.Count != 6 || len(s.Kernels) != 2 {
		t.Fatalf("%d launches of %d kernels", s.Count, len(s.Kernels))
	}
	for i, want := range []struct {
		kernel          string
		launches, waves int
	}{{"fill", 2, 3}, {"scale", 4, 8}} {
		k := s.Kernels[i]
		if k.Kernel != want.kernel || k.Launches != want.launches || k.WaveCount != want.waves ||
			k.Total.Executed == 0 {
			t.Errorf("%s: %d launches, %d waves, %d instructions", k.Kernel, k.Launches, k.WaveCount,
				k.Total.Executed)
		}
		if len(k.Lines) == 0 || !strings.HasSuffix(k.Lines[len(k.Lines)-1].File, ".hip") {
			t.Errorf("%s: lines %+v", k.Kernel, k.Lines)
		}
	}
	for _, c := range []struct {
		scenario, ext string
		status        int
		want          []string
	}{
		{"says", ".html", 0, []string{"<!DOCTYPE html>", "1 launch of 1 kernel", "kernels.hip:"}},
		{"bounds", ".txt", 1, []string{"1 launch of 1 kernel", "global_store_dword"}},
	} {
		file := filepath.Join(t.TempDir(), "profile"+c.ext)
		r := execute(t, []string{"--profile", file, "--check", "race"}, program, c.scenario)
		if r.status != c.status {
			t.Errorf("%s: status %d: %s%s", c.scenario, r.status, r.out, r.err)
		}
		if c.scenario == "says" && !strings.Contains(r.out, "lane 2 of 3\n") {
			t.Errorf("not printed: %s", r.out)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range c.want {
			if !strings.Contains(string(data), want) {
				t.Errorf("%s: no %q in\n%.3000s", c.scenario, want, data)
			}
		}
	}
	r = execute(t, []string{"--profile", "-"}, program, "twenty")
	if !strings.Contains(r.err, "20 launches of 2 kernels") || r.out != "twenty: done\n" {
		t.Errorf("%s%s", r.out, r.err)
	}
	r = execute(t, []string{"--profile", "-", "--gdb"}, program, "twenty")
	if r.status != statusInput || !strings.Contains(r.err, "profiled or debugged, not both") {
		t.Errorf("status %d: %s", r.status, r.err)
	}
}

// TestExecProfileInterrupted: of a launch that an interrupt has ended the profile has what it has done.
func TestExecProfileInterrupted(t *testing.T) {
	file := filepath.Join(t.TempDir(), "profile.json")
	c := execOn(t, []string{"--profile", file}, buildProgram(t, "kernels.O3.hipfb"), "endless")
	printed, _ := lines(t, c)
	if printed.Scan(); printed.Text() != "endless" {
		t.Fatalf("%q", printed.Text())
	}
	// The launch is under way.
	for began := cpuTicks(t, c.Process.Pid); cpuTicks(t, c.Process.Pid) < began+25; {
		time.Sleep(10 * time.Millisecond)
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if _ = c.Wait(); c.ProcessState.ExitCode() != statusInterrupted {
		t.Errorf("status %v", c.ProcessState)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var s profile.Session
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	if s.Count != 1 || len(s.Kernels) != 1 || s.Kernels[0].Kernel != "walk" ||
		s.Kernels[0].Total.Executed == 0 {
		t.Errorf("%.1000s", data)
	}
}

// cpuTicks is how long a process has had a processor, in ticks of 10 ms.
func cpuTicks(t *testing.T, pid int) (ticks int) {
	t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if ticks, err = strconv.Atoi(fields[11]); err != nil {
		t.Fatal(err)
	}
	return ticks
}
