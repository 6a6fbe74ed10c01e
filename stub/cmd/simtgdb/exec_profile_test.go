//go:build linux

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
