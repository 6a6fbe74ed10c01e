package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// registryFile is the registry that the declarations were made of, if it is there.
func registryFile(t *testing.T) string {
	t.Helper()
	const file, version = "/usr/share/vulkan/registry/vk.xml", "<name>VK_HEADER_VERSION</name> 239<"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	if !strings.Contains(string(text), version) {
		t.Skip("skipped: the registry is of another version")
	}
	return file
}

// TestHeaderUpToDate writes the declarations anew where the registry is that they were made of.
func TestHeaderUpToDate(t *testing.T) {
	file := registryFile(t)
	header, tables, err := Generate(file, "../src")
	if err != nil {
		t.Fatal(err)
	}
	for name, made := range map[string][]byte{"vk.h": header, "vk_tables.h": tables} {
		kept, err := os.ReadFile("../src/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(kept, made) {
			t.Errorf("%s is not what go generate makes of the sources", name)
		}
	}
}

// asCommand is set in the environment of a process that is the command.
const asCommand = "SIMTGDB_TEST_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// command runs the command, and gives its status and what it says.
func command(args ...string) (status int, said string) {
	c := exec.Command(os.Args[0], args...)
	c.Env = append(os.Environ(), asCommand+"=1")
	out, _ := c.CombinedOutput()
	return c.ProcessState.ExitCode(), string(out)
}

// TestCommand: the command writes both files beside the sources that it reads, and says what is wrong.
func TestCommand(t *testing.T) {
	xml, src := registryFile(t), filepath.Join(t.TempDir(), "src")
	if err := os.CopyFS(src, os.DirFS("../src")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"vk.h", "vk_tables.h"} {
		if err := os.Remove(filepath.Join(src, name)); err != nil {
			t.Fatal(err)
		}
	}
	if status, said := command(xml, src); status != 0 || said != "" {
		t.Fatalf("status %d, %s", status, said)
	}
	for _, name := range []string{"vk.h", "vk_tables.h"} {
		want, err := os.ReadFile("../src/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(src, name)); !bytes.Equal(got, want) {
			t.Errorf("%s is another: %v", name, err)
		}
	}
	for _, args := range [][]string{nil, {xml}, {xml, src, "more"}} {
		if status, said := command(args...); status != 2 || !strings.Contains(said, "usage: vkheader") {
			t.Errorf("%q: status %d, %q", args, status, said)
		}
	}
	none := filepath.Join(src, "none")
	for _, args := range [][]string{{none, src}, {xml, none}} {
		if status, said := command(args...); status != 1 || said == "" {
			t.Errorf("%q: status %d, %q", args, status, said)
		}
	}
}
