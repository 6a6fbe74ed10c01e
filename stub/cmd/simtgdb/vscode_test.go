package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// A vsConfiguration is one of VS Code's launch.json.
type vsConfiguration struct {
	Type, Request, Program, Target, LaunchCompleteCommand string
	SetupCommands, CustomLaunchSetupCommands              []struct{ Text string }
}

// vsConfigurations are those of docs/vscode, in a workspace that has a launch file.
func vsConfigurations(t *testing.T) map[string]vsConfiguration {
	t.Helper()
	workspace := t.TempDir()
	module, err := filepath.Abs(object("demo", "gfx90a", "O0"))
	if err != nil {
		t.Fatal(err)
	}
	launch := fmt.Sprintf(`{"code_object": %q, "grid": [128], "block": [64], "args": [
 {"buffer": {"type": "i32", "count": 128, "init": "iota"}}, {"buffer": {"type": "i32", "count": 128}}, {"i32": 120}]}`, module)
	if err := os.WriteFile(filepath.Join(workspace, "kernel.json"), []byte(launch), 0o666); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "docs/vscode/launch.json"))
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.ReplaceAll(text, []byte("${workspaceFolder}"), []byte(workspace))
	bin, err := filepath.Abs(filepath.Join(root, "bin"))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	var file struct{ Configurations []vsConfiguration }
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	all := map[string]vsConfiguration{}
	for _, c := range file.Configurations {
		all[c.Type] = c
	}
	return all
}

// TestVSCode does with gdb what the C/C++ extension does with its configuration (MIEngine: setupCommands,
// breakpoints, customLaunchSetupCommands, launchCompleteCommand; the program has to be a file), and with DAP
// what the configuration of that says.
func TestVSCode(t *testing.T) {
	program(t)
	all := vsConfigurations(t)
	for _, debugger := range debuggers() {
		cpp := all["cppdbg"]
		if _, err := os.Stat(cpp.Program); err != nil || cpp.LaunchCompleteCommand != "exec-continue" {
			t.Errorf("%+v: %v", cpp, err)
		}
		c := converse(t, debugger, "-i=mi")
		c.say("1-gdb-set mi-async on", "2-gdb-set pagination off")
		for _, command := range cpp.SetupCommands {
			c.say(fmt.Sprintf("-interpreter-exec console %q", command.Text))
		}
		c.say(`3-break-insert -f -c "$lane == 3" demo.hip:19`)
		for _, command := range cpp.CustomLaunchSetupCommands {
			c.say(fmt.Sprintf("4-interpreter-exec console %q", command.Text))
		}
		c.hear(`\*stopped,.*func="demo".*thread-id="1"`)
		c.say("5-" + cpp.LaunchCompleteCommand)
		c.hear(`\*stopped,reason="breakpoint-hit".*func="demo",args=\[\{name="input".*line="19".*thread-id="4"`)
		c.say("6-data-evaluate-expression value")
		c.hear(`6\^done,value="3"`)
		c.say("-gdb-exit")
		if gdbVersion(t, debugger) < 14 {
			continue // it has no requests to attach to a target
		}
		dap(t, debugger).attach(map[string]any{"target": all["gdb"].Target})
	}
}
