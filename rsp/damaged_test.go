package rsp

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// TestDamagedPackets cuts packets, changes each of their bytes and puts one behind them: what is not of the
// form that gdb's manual has for the packet gets an error, or the reply to what is not known, and changes
// nothing. Behind the two that read memory may be anything.
func TestDamagedPackets(t *testing.T) {
	t.Parallel()
	const number, thread = `[0-9a-fA-F]+`, `(-1|[0-9a-fA-F]+)`
	for packet, form := range map[string]string{
		"p10":                                  "p" + number,
		"P0=0102030405060708":                  "P" + number + "=([0-9a-f]{2}){8}",
		"m602000,4":                            "m" + number + "," + number + ".*",
		"x602000,4":                            "x" + number + "," + number + ".*",
		"M602000,2:0a0b":                       "M" + number + ",2:([0-9a-f]{2}){2}",
		"X602000,2:ab":                         "X" + number + ",2:..",
		"Z0,401006,1":                          "Z[0-4]," + number + "," + number + ";?",
		"z0,401006,1":                          "z[0-4]," + number + "," + number,
		"T2":                                   "T" + thread,
		"Hg2":                                  "Hg" + thread,
		"qThreadExtraInfo,2":                   "qThreadExtraInfo[:;,]" + thread,
		"qCRC:602000,10":                       "qCRC[:;,]" + number + "," + number,
		"QPassSignals:e;10":                    "QPassSignals([:;,](" + number + "(;" + number + ")*)?;?)?",
		"qSearch:memory:602000;100;a":          "qSearch[:;,]memory:" + number + ";" + number + ";.+",
		"qXfer:features:read:target.xml:0,100": "qXfer[:;,][a-z-]+:read:[^:]*:" + number + "," + number,
		"vFile:pread:1,4,0":                    "vFile[:;,]pread:" + number + "," + number + "," + number,
		"vFile:close:1":                        "vFile[:;,]close:" + number,
	} {
		whole := regexp.MustCompile("^" + form + "$")
		if !whole.MatchString(packet) {
			t.Fatalf("%q is not of the form %q", packet, form)
		}
		var damaged []string
		for i := 1; i < len(packet); i++ {
			if head := packet[:i]; head != "qC" { // which is another packet
				damaged = append(damaged, head, head+"z"+packet[i+1:], head+","+packet[i+1:])
			}
		}
		target := newFakeTarget(2)
		s := newTestSession(t, target)
		memory := bytes.Clone(target.data)
		for _, d := range append(damaged, packet+"z", packet+",", packet+";") {
			if whole.MatchString(d) {
				continue
			}
			got := s.ask(d)
			if got != "" && !strings.HasPrefix(got, "E") && !strings.HasPrefix(got, "F-1,") {
				t.Errorf("%q: got %q", d, got)
			}
			if len(target.breakpoints) > 0 || !bytes.Equal(memory, target.data) {
				t.Fatalf("%q has changed the target", d)
			}
		}
	}
}

// TestLargestNumbers: numbers have 64 bits, and counts of bytes and things 31.
func TestLargestNumbers(t *testing.T) {
	for n, want := range map[uint64]bool{0: true, 1<<31 - 1: true, 1 << 31: false, 1<<64 - 1: false} {
		a := arguments(fmt.Sprintf("%x", n))
		if got, err := a.count(); (err == nil) != want || err == nil && got != int(n) {
			t.Errorf("count %#x: %d, %v", n, got, err)
		}
	}
	for text, want := range map[string]bool{"ffffffffffffffff": true, "10000000000000000": false,
		"0ffffffffffffffff": true} {
		a := arguments(text)
		if got, err := a.number(); (err == nil) != want || err == nil && got != 1<<64-1 {
			t.Errorf("%s: %#x, %v", text, got, err)
		}
	}
}
