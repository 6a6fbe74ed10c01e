package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A dapClient speaks the Debug Adapter Protocol to a gdb, as an editor does.
type dapClient struct {
	t        *testing.T
	in       io.Writer
	seq      int
	messages chan map[string]any
	kept     []map[string]any // those that nobody has waited for
}

// dap starts a gdb with the protocol, at the top of the repository.
func dap(t *testing.T, debugger string, args ...string) *dapClient {
	t.Helper()
	out, printed := io.Pipe()
	c := &dapClient{t: t, messages: make(chan map[string]any, 1<<12)}
	c.in = startGDB(t, debugger, printed, io.Discard,
		append([]string{"-i=dap", "-iex", "directory testdata/src"}, args...)...)
	go func() {
		defer out.Close()
		defer close(c.messages)
		r := bufio.NewReader(out)
		for {
			header, err := textproto.NewReader(r).ReadMIMEHeader()
			if err != nil {
				return
			}
			n, _ := strconv.Atoi(header.Get("Content-Length"))
			body := make([]byte, n)
			message := map[string]any{}
			if _, err := io.ReadFull(r, body); err != nil || json.Unmarshal(body, &message) != nil {
				return
			}
			c.messages <- message
		}
	}()
	return c
}

// send sends a request and gives its number.
func (c *dapClient) send(command string, arguments map[string]any) int {
	c.seq++
	if arguments == nil {
		arguments = map[string]any{} // gdb before 18 wants them
	}
	body, err := json.Marshal(map[string]any{"seq": c.seq, "type": "request", "command": command,
		"arguments": arguments})
	if err != nil {
		c.t.Fatal(err)
	}
	fmt.Fprintf(c.in, "Content-Length: %d\r\n\r\n%s", len(body), body)
	return c.seq
}

// wait gives the first message, kept or to come, that is meant.
func (c *dapClient) wait(what string, meant func(map[string]any) bool) map[string]any {
	c.t.Helper()
	for i, m := range c.kept {
		if meant(m) {
			c.kept = append(c.kept[:i:i], c.kept[i+1:]...)
			return m
		}
	}
	late := time.After(2 * time.Minute)
	for {
		select {
		case m, ok := <-c.messages:
			if !ok {
				c.t.Fatalf("gdb ends where %s is expected, after %v", what, c.kept)
			}
			if meant(m) {
				return m
			}
			c.kept = append(c.kept, m)
		case <-late:
			c.t.Fatalf("no %s: %v", what, c.kept)
		}
	}
}

// answer is the body of the response to a request that succeeds.
func (c *dapClient) answer(seq int) map[string]any {
	c.t.Helper()
	m := c.wait(fmt.Sprintf("response %d", seq), func(m map[string]any) bool {
		return m["type"] == "response" && m["request_seq"] == float64(seq)
	})
	if m["success"] != true {
		c.t.Fatalf("%v fails: %v", m["command"], m["message"])
	}
	body, _ := m["body"].(map[string]any)
	return body
}

func (c *dapClient) do(command string, arguments map[string]any) map[string]any {
	c.t.Helper()
	return c.answer(c.send(command, arguments))
}

// event waits for an event.
func (c *dapClient) event(name string) map[string]any {
	c.t.Helper()
	m := c.wait(name, func(m map[string]any) bool { return m["event"] == name })
	body, _ := m["body"].(map[string]any)
	return body
}

// has reports, in the test's words, what of a reply is not as it should be: want is a regular expression of
// its JSON, whose keys are in the order of the alphabet.
func (c *dapClient) has(what string, body map[string]any, want string) {
	c.t.Helper()
	text, err := json.Marshal(body)
	if err != nil || !regexp.MustCompile(want).Match(text) {
		c.t.Errorf("%s: %.3000s, want %s", what, text, want)
	}
}

// attach goes through the beginning of a session: a breakpoint in demo.hip at line 8 for lane 3 of wave 0.
func (c *dapClient) attach(configuration map[string]any) {
	c.t.Helper()
	source, err := filepath.Abs(filepath.Join(root, "testdata/src/demo.hip"))
	if err != nil {
		c.t.Fatal(err)
	}
	c.do("initialize", map[string]any{"clientID": "test", "adapterID": "gdb"})
	c.event("initialized")
	attached := c.send("attach", configuration)
	c.do("setBreakpoints", map[string]any{"source": map[string]any{"path": source},
		"breakpoints": []any{map[string]any{"line": 8, "condition": "$lane == 3 && $wave == 0"}}})
	c.do("configurationDone", nil)
	c.answer(attached)
	c.has("stopped", c.event("stopped"), `"allThreadsStopped":true,"reason":"attach","threadId":1`)
}

// dapGDBs are the gdbs of the tests that speak the protocol, which gdb 14 was the first to do.
func dapGDBs(t *testing.T) []string {
	var able []string
	for _, debugger := range debuggers() {
		if _, err := exec.LookPath(debugger); err == nil && gdbVersion(t, debugger) >= 14 {
			able = append(able, debugger)
		}
	}
	if len(able) == 0 {
		t.Skipf("skipped: none of %q is gdb 14 or later: set SIMTGDB_GDBS", debuggers())
	}
	return able
}

// dapConfigurations are the configurations of docs/editors.md, with the demonstration as what they debug.
func dapConfigurations(t *testing.T) []map[string]any {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "docs/editors.md"))
	if err != nil {
		t.Fatal(err)
	}
	var all []map[string]any
	for _, block := range regexp.MustCompile("(?s)```json\n(.*?)```").FindAllSubmatch(text, -1) {
		d := json.NewDecoder(bytes.NewReader(block[1]))
		for {
			c := map[string]any{}
			if err := d.Decode(&c); err != nil {
				break
			}
			if c["type"] == "gdb" && c["request"] == "attach" {
				all = append(all, c)
			}
		}
	}
	if len(all) != 2 {
		t.Fatalf("%d configurations for DAP in docs/editors.md, want 2", len(all))
	}
	for _, c := range all {
		target := strings.Replace(c["target"].(string), "simtgdb serve --stdio --launch k.json",
			"bin/simtgdb serve --stdio --demo", 1)
		if target == "/run/user/1000/simtgdb.sock" {
			target, _ = server(t, "--demo")
		}
		c["target"] = target
	}
	return all
}

// TestDAP does what editors do with gdb's Debug Adapter Protocol: attach to a pipe or a port as
// docs/editors.md has it, lanes as threads, a condition for one lane, frames, scopes, variables, steps,
// evaluation, disassembly.
func TestDAP(t *testing.T) {
	debuggers := dapGDBs(t)
	program(t)
	for _, debugger := range debuggers {
		for i, configuration := range dapConfigurations(t) {
			t.Run(fmt.Sprintf("%s/%d", strings.ReplaceAll(strings.Trim(debugger, "/"), "/", "_"), i),
				func(t *testing.T) {
					c := dap(t, debugger)
					c.attach(configuration)
					c.session()
				})
		}
	}
}

// session debugs the demonstration. By its source weigh(3, 4) is 3 * (1+2+3+4).
func (c *dapClient) session() {
	c.t.Helper()
	c.has("threads", c.do("threads", nil), `\{"id":4,"name":"wave 0 lane 3"\}`)
	c.do("continue", map[string]any{"threadId": 1})
	c.has("stopped", c.event("stopped"), `"hitBreakpointIds":\[1\],"reason":"breakpoint","threadId":4`)
	lane := map[string]any{"threadId": 4}
	frames := c.do("stackTrace", lane)
	c.has("stackTrace", frames, `"line":8,.*"name":"weigh","source":.*"line":21,.*"name":"demo","source"`)
	c.variables(frames, 0, "Arguments", `"name":"value","value":"3".*"name":"rounds","value":"4"`)
	c.variables(frames, 0, "Registers", `"name":"lane","value":"3"`)
	c.variables(frames, 1, "Locals", `"name":"id","value":"3"`)
	frame := frameOf(frames, 0)["id"]
	c.has("evaluate", c.do("evaluate", map[string]any{"expression": "value * 2 + $lane", "frameId": frame}),
		`"result":"9"`)
	c.has("monitor", c.do("evaluate", map[string]any{"expression": "monitor lanes print value",
		"context": "repl"}),
		`value: \d+ different values in 64 lanes`)
	steps := []struct{ command, line string }{{"next", `"line":9,`}, {"stepIn", `"line":8,`},
		{"stepOut", `"line":21,`}}
	for _, step := range steps {
		c.do(step.command, lane)
		c.has(step.command, c.event("stopped"), `"reason":"step","threadId":4`)
		frames = c.do("stackTrace", lane)
		c.has(step.command, map[string]any{"frame": frameOf(frames, 0)}, step.line)
	}
	c.variables(frames, 0, "Return|Locals", `"name":"\(return\)","value":"30"`)
	at := frameOf(frames, 0)["instructionPointerReference"]
	c.has("disassemble", c.do("disassemble", map[string]any{"memoryReference": at, "instructionCount": 2}),
		`"instructions":\[\{"address"`)
	c.has("readMemory", c.do("readMemory", map[string]any{"memoryReference": "0x7e0010000014", "count": 4}),
		`"data":"BQAAAA=="`)
	c.do("setBreakpoints", map[string]any{"source": map[string]any{"path": "demo.hip"},
		"breakpoints": []any{}})
	c.do("disconnect", map[string]any{"terminateDebuggee": true})
}

func frameOf(trace map[string]any, n int) map[string]any {
	list, _ := trace["stackFrames"].([]any)
	if n >= len(list) {
		return nil
	}
	frame, _ := list[n].(map[string]any)
	return frame
}

// variables compares the variables of those scopes of a frame whose names match. (Where a returned value is
// shown differs: gdb 15 has it among the locals.)
func (c *dapClient) variables(trace map[string]any, frame int, scope, want string) {
	c.t.Helper()
	scopes, _ := c.do("scopes", map[string]any{"frameId": frameOf(trace, frame)["id"]})["scopes"].([]any)
	found := map[string]any{}
	for _, s := range scopes {
		s := s.(map[string]any)
		if name := s["name"].(string); regexp.MustCompile("^(" + scope + ")$").MatchString(name) {
			found[name] = c.do("variables", map[string]any{"variablesReference": s["variablesReference"]})
		}
	}
	c.has(scope, found, want)
}

// TestDAPDisassembly: with the Python script loaded the disassembly is the GPU's.
func TestDAPDisassembly(t *testing.T) {
	debuggers := dapGDBs(t)
	program(t)
	path := scriptFile(t)
	for _, debugger := range debuggers {
		c := dap(t, debugger, "-x", path)
		c.attach(map[string]any{"target": "| bin/simtgdb serve --stdio --demo"})
		c.has("disassemble", c.do("disassemble", map[string]any{"memoryReference": "0x1b1c",
			"instructionCount": 2, "instructionOffset": 0}),
			`"instruction":"(s|v|flat)_\w+ .*"instruction":"(s|v|flat)_`)
		c.has("lanes", c.do("evaluate", map[string]any{"expression": "info lanes 0-1", "context": "repl"}),
			`Id  State  Target Id`)
		c.do("disconnect", map[string]any{"terminateDebuggee": true})
	}
}

// scriptFile is the script of simtgdb gdbscript.
func scriptFile(t *testing.T) string {
	t.Helper()
	script, err := exec.Command(filepath.Join(root, "bin", "simtgdb"), "gdbscript").Output()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "simtgdb.py")
	if err := os.WriteFile(path, script, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestDAPVectors: with the script a vector is one line that can be opened, and its components can be set. In
// lane 5 the elements of the buffer are 20 to 23.
func TestDAPVectors(t *testing.T) {
	debuggers := dapGDBs(t)
	program(t)
	path := scriptFile(t)
	source, err := filepath.Abs(filepath.Join(root, "testdata/debug/vectors.cl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, debugger := range debuggers {
		c := dap(t, debugger, "-x", path, "-iex", "directory "+filepath.Dir(source))
		c.attach(map[string]any{"target": "| bin/simtgdb serve --stdio --kernel vectors --grid 64 --block " +
			"64 --arg buf:f32[256]=iota --arg buf:i32[128]=zero testdata/debug/co/vectors.O0.co"})
		c.do("setBreakpoints", map[string]any{"source": map[string]any{"path": source},
			"breakpoints": []any{map[string]any{"line": 19, "condition": "$_lane == 5"}}})
		c.do("continue", map[string]any{"threadId": 1})
		c.has("stop", c.event("stopped"), `"reason":"breakpoint","threadId":6`)
		frame := frameOf(c.do("stackTrace", map[string]any{"threadId": 6}), 0)["id"]
		evaluate := func() map[string]any {
			return c.do("evaluate", map[string]any{"expression": "v", "frameId": frame, "context": "watch"})
		}
		v := evaluate()
		c.has("vector", v, `"result":"\(20, 21, 22, 23\)"`)
		reference := v["variablesReference"]
		c.has("components", c.do("variables", map[string]any{"variablesReference": reference}),
			`"name":"x","value":"20".*"name":"w","value":"23"`)
		c.do("setVariable", map[string]any{"variablesReference": reference, "name": "y", "value": "1.5"})
		c.has("set", evaluate(), `"result":"\(20, 1.5, 22, 23\)"`)
		c.do("disconnect", map[string]any{"terminateDebuggee": true})
	}
}

// TestDAPGlobals: every scope of a frame can be opened, that of global variables too, of which gdb reads none
// if one of them needs a frame: LDS outside of functions, and what shaders know of their lane.
func TestDAPGlobals(t *testing.T) {
	debuggers := dapGDBs(t)
	program(t)
	for _, debugger := range debuggers {
		for _, p := range []struct{ flags, globals string }{
			{"--kernel whole --grid 64 --block 64 --arg buf:f32[64]=zero testdata/debug/co/filescope.O0.co",
				`"name":"all".*"name":"half"`},
			{"--launch testdata/spirv/launch/shared.json", `"name":"sums"`},
		} {
			c := dap(t, debugger)
			c.attach(map[string]any{"target": "| bin/simtgdb serve --stdio " + p.flags})
			frame := frameOf(c.do("stackTrace", map[string]any{"threadId": 1}), 0)
			scopes, _ := c.do("scopes", map[string]any{"frameId": frame["id"]})["scopes"].([]any)
			names := ""
			for _, s := range scopes {
				scope := s.(map[string]any)
				names += fmt.Sprint(scope["name"], " ")
				v := c.do("variables", map[string]any{"variablesReference": scope["variablesReference"]})
				if scope["name"] == "Globals" {
					c.has("globals", v, p.globals)
				}
			}
			if gdbVersion(t, debugger) >= 16 && !strings.Contains(names, "Globals") {
				t.Errorf("%s: only the scopes %s", p.flags, names)
			}
			c.do("disconnect", map[string]any{"terminateDebuggee": true})
		}
	}
}

// TestDAPRequests: what editors offer besides: values under the mouse and in a watch window, variables,
// expressions and memory that are set, steps by instructions, log points. gdb up to 18 has no requests to go
// back or to stop at data: the commands for it work in the debug console, and the stops that they make are
// reported.
func TestDAPRequests(t *testing.T) {
	debuggers := dapGDBs(t)
	program(t)
	for _, debugger := range debuggers {
		t.Run(strings.ReplaceAll(strings.Trim(debugger, "/"), "/", "_"), func(t *testing.T) {
			c := dap(t, debugger)
			c.attach(map[string]any{"target": "| bin/simtgdb serve --stdio --demo"})
			c.requests()
		})
	}
}

// requests goes to the breakpoint in lane 3 of wave 0, where value is 3 and rounds 4.
func (c *dapClient) requests() {
	c.t.Helper()
	lane := map[string]any{"threadId": 4}
	stopped := func(what, reason string) map[string]any {
		c.t.Helper()
		c.has(what, c.event("stopped"), `"reason":"`+reason+`","threadId":4`)
		return frameOf(c.do("stackTrace", lane), 0)
	}
	evaluate := func(context, expression, want string) {
		c.t.Helper()
		frame := frameOf(c.do("stackTrace", lane), 0)["id"]
		c.has(expression, c.do("evaluate", map[string]any{"expression": expression, "frameId": frame,
			"context": context}), `"result":"`+want)
	}
	c.do("continue", map[string]any{"threadId": 1})
	frame := stopped("continue", "breakpoint")
	evaluate("hover", "rounds", `4"`)
	evaluate("watch", "value * rounds + $lane", `15"`)

	scopes, _ := c.do("scopes", map[string]any{"frameId": frame["id"]})["scopes"].([]any)
	arguments := scopes[0].(map[string]any)["variablesReference"]
	c.has("variables", c.do("variables", map[string]any{"variablesReference": arguments}),
		`"name":"rounds","value":"4"`)
	c.has("setVariable", c.do("setVariable", map[string]any{"variablesReference": arguments, "name": "rounds",
		"value": "2"}), `"value":"2"`)
	c.has("setExpression", c.do("setExpression", map[string]any{"expression": "total", "value": "40",
		"frameId": frame["id"]}), `"value":"40"`)
	c.do("writeMemory", map[string]any{"memoryReference": "0x7e0010000014", "data": "BgAAAA=="})
	c.has("readMemory", c.do("readMemory", map[string]any{"memoryReference": "0x7e0010000014", "count": 4}),
		`"data":"BgAAAA=="`)

	at := frame["instructionPointerReference"]
	c.do("next", map[string]any{"threadId": 4, "granularity": "instruction"})
	if next := stopped("next instruction", "step"); next["instructionPointerReference"] == at {
		c.t.Errorf("a step by an instruction stays at %v", at)
	}
	evaluate("repl", "reverse-stepi", "")
	if back := stopped("reverse-stepi", "[a-z ]+"); back["instructionPointerReference"] != at {
		c.t.Errorf("reverse-stepi leads to %v, not back to %v", back["instructionPointerReference"], at)
	}
	evaluate("repl", "watch total", "")
	c.do("continue", lane)
	stopped("watch", "data breakpoint")
	evaluate("hover", "total", `43"`)

	evaluate("repl", "delete 2", "")
	source, err := filepath.Abs(filepath.Join(root, "testdata/src/demo.hip"))
	if err != nil {
		c.t.Fatal(err)
	}
	c.do("setBreakpoints", map[string]any{"source": map[string]any{"path": source}, "breakpoints": []any{
		map[string]any{"line": 10, "condition": "$lane == 3 && $wave == 0",
			"logMessage": "lane {$lane}: {total}"},
		map[string]any{"line": 26, "condition": "$lane == 5 && $wave == 1"}}})
	c.do("continue", lane)
	c.has("stopped", c.event("stopped"), `"reason":"breakpoint","threadId":70`)
	c.wait("the log point's text", func(m map[string]any) bool {
		body, _ := m["body"].(map[string]any)
		text, _ := body["output"].(string)
		return m["event"] == "output" && strings.Contains(text, "lane 3: 49")
	})
	c.do("disconnect", map[string]any{"terminateDebuggee": true})
}

// TestDAPBreakpoints: breakpoints of functions and of instructions with a condition for one lane, requests
// for exceptions of languages, which kernels do not have, and signals: those that gdb is told to catch, and a
// defect.
func TestDAPBreakpoints(t *testing.T) {
	debuggers := dapGDBs(t)
	program(t)
	for _, debugger := range debuggers {
		name := strings.ReplaceAll(strings.Trim(debugger, "/"), "/", "_")
		t.Run(name+"/functions", func(t *testing.T) {
			c := dap(t, debugger)
			c.attach(map[string]any{"target": "| bin/simtgdb serve --stdio --demo"})
			c.functions()
		})
		t.Run(name+"/signals", func(t *testing.T) {
			c := dap(t, debugger)
			c.attach(map[string]any{"target": "| bin/simtgdb serve --stdio testdata/check/traps.co " +
				"--kernel abort --grid 64 --block 64 --arg buf:f32[64]=iota --arg buf:f32[64]=zero"})
			c.signals()
		})
	}
}

// functions stops in lane 3 of wave 0 at the beginning of weigh, where gdb says that it is, and at the
// address of the instruction behind the call.
func (c *dapClient) functions() {
	c.t.Helper()
	lane := map[string]any{"threadId": 4}
	source, err := filepath.Abs(filepath.Join(root, "testdata/src/demo.hip"))
	if err != nil {
		c.t.Fatal(err)
	}
	c.do("setBreakpoints", map[string]any{"source": map[string]any{"path": source}, "breakpoints": []any{}})
	c.has("setFunctionBreakpoints", c.do("setFunctionBreakpoints", map[string]any{"breakpoints": []any{
		map[string]any{"name": "weigh",
			"condition": "$lane == 3 && $wave == 0"}}}), `"line":7,.*"verified":true`)
	c.do("continue", map[string]any{"threadId": 1})
	c.has("stopped", c.event("stopped"),
		`"hitBreakpointIds":\[2\],"reason":"(function )?breakpoint","threadId":4`)
	frames := c.do("stackTrace", lane)
	c.has("stackTrace", frames, `"line":7,.*"name":"weigh","source":.*"line":21,.*"name":"demo","source"`)
	behind := frameOf(frames, 1)["instructionPointerReference"]
	c.do("setFunctionBreakpoints", map[string]any{"breakpoints": []any{}})
	c.has("setInstructionBreakpoints", c.do("setInstructionBreakpoints", map[string]any{"breakpoints": []any{
		map[string]any{"instructionReference": behind, "condition": "$lane == 3"}}}), `"verified":true`)
	c.do("continue", lane)
	c.has("stopped", c.event("stopped"),
		`"hitBreakpointIds":\[3\],"reason":"(instruction )?breakpoint","threadId":4`)
	if at := frameOf(c.do("stackTrace", lane), 0)["instructionPointerReference"]; at != behind {
		c.t.Errorf("stopped at %v, want the instruction behind the call, %v", at, behind)
	}
	c.do("setInstructionBreakpoints", map[string]any{"breakpoints": []any{}})
	c.do("continue", lane)
	c.event("terminated")
}

// signals catches llvm.trap, which aborts, and ends the program by it.
func (c *dapClient) signals() {
	c.t.Helper()
	c.do("setExceptionBreakpoints", map[string]any{"filters": []any{}})
	for _, command := range []string{"handle SIGABRT nostop noprint", "catch signal SIGABRT"} {
		c.do("evaluate", map[string]any{"expression": command, "context": "repl"})
	}
	c.do("continue", map[string]any{"threadId": 1})
	c.has("stopped", c.event("stopped"), `"reason":"signal","threadId":62`)
	c.do("continue", map[string]any{"threadId": 1})
	c.event("terminated")
}
