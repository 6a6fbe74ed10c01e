package rsp

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestThreadPages(t *testing.T) {
	target := newFakeTarget(5000)
	s := newTestSession(t, target)
	var ids []string
	pages := 0
	for reply := s.ask("qfThreadInfo"); reply != "l"; reply = s.ask("qsThreadInfo") {
		if len(reply) > s.packetSize || reply[0] != 'm' {
			t.Fatalf("page of %d bytes: %.20q", len(reply), reply)
		}
		ids = append(ids, strings.Split(reply[1:], ",")...)
		pages++
	}
	if len(ids) != 5000 || ids[0] != "1" || ids[4999] != "1388" || pages < 2 {
		t.Errorf("%d threads on %d pages", len(ids), pages)
	}
}

func TestThreadsDocument(t *testing.T) {
	check(t, newTestSession(t, newFakeTarget(2)), []exchange{
		{"qXfer:threads:read::0,1000", "l<?xml version=\"1.0\"?>\n<threads>\n" +
			"<thread id=\"1\" name=\"lane 0\">wave &lt;0&gt; &amp; &quot;group&quot; 0</thread>\n" +
			"<thread id=\"2\" name=\"lane 1\">wave &lt;0&gt; &amp; &quot;group&quot; 0</thread>\n" +
			"</threads>\n"},
	})
}

func TestObjects(t *testing.T) {
	target := newFakeTarget(1)
	s := newTestSession(t, target)
	target.objects["features:x"] = "ab#cd}ef"
	check(t, s, []exchange{
		{"qXfer:features:read:x:0,3", "mab}\x03"},
		{"qXfer:features:read:x:3,3", "mcd}]"},
		{"qXfer:features:read:x:6,2", "lef"},
		{"qXfer:features:read:x:8,2", "l"},
		{"qXfer:features:read:x:9,2", "E16"},
		{"qXfer:features:read:y:0,2", "E02"},
		{"qXfer:features:read:x", "E16"},
		{"qXfer:features:write:x:0:00", ""},
		{"qXfer:auxv:read::0,10", ""},
		{"qXfer:exec-file:read:2a:0,100", "l/virtual/worker"},
	})
}

// TestObjectIsMadeOnce fetches a document in many pieces.
func TestObjectIsMadeOnce(t *testing.T) {
	target := newFakeTarget(1)
	s := newTestSession(t, target)
	content := strings.Repeat("0123456789}#*$", 10000)
	target.objects["features:big"] = content
	var got strings.Builder
	for more := true; more; {
		reply := s.ask(fmt.Sprintf("qXfer:features:read:big:%x,10000", got.Len()))
		if len(reply) > s.packetSize {
			t.Fatalf("reply of %d bytes", len(reply))
		}
		data, ok := unescape([]byte(reply[1:]))
		if !ok {
			t.Fatal("malformed reply")
		}
		got.Write(data)
		more = reply[0] == 'm'
	}
	if got.String() != content || target.built != 1 {
		t.Errorf("%d bytes of %d, made %d times", got.Len(), len(content), target.built)
	}
}

func TestFiles(t *testing.T) {
	target := newFakeTarget(1)
	s := newTestSession(t, target)
	file := fakeELF()
	size := fmt.Sprintf("%016x", len(file))
	stat, err := hex.DecodeString("00000000" + "00000000" + "00008124" + "00000001" +
		strings.Repeat("00000000", 3) +
		size + "0000000000000200" + fmt.Sprintf("%016x", (len(file)+511)/512) + strings.Repeat("00000000", 3))
	if err != nil {
		t.Fatal(err)
	}
	escapedStat, _ := appendBinary(nil, stat, 200)
	name := hexOf("/virtual/worker")
	check(t, s, []exchange{
		{"vFile:setfs:0", "F0"},
		{"vFile:open:" + name + ",0,0", "F1"},
		{"vFile:open:" + name + ",0,1c0", "F2"},
		{"vFile:open:" + name + ",601,1c0", "F-1,1e"},
		{"vFile:open:" + hexOf("/etc/passwd") + ",0,0", "F-1,2"},
		{"vFile:open:zz,0,0", "F-1,16"},
		{"vFile:fstat:1", "F40;" + string(escapedStat)},
		{"vFile:pread:1,4,0", "F4;\x7fELF"},
		{"vFile:pread:1,4,ffffffffffffffff", "F0;"},
		{"vFile:pread:7,4,0", "F-1,9"},
		{"vFile:pread:1", "F-1,16"},
		{"vFile:pwrite:1,0,abc", "F-1,1e"},
		{"vFile:unlink:" + name, "F-1,1e"},
		{"vFile:readlink:" + name, "F-1,16"},
		{"vFile:chmod:1", ""},
		{"vFile:close:1", "F0"},
		{"vFile:close:1", "F-1,9"},
		{"vFile:open:" + name + ",0,0", "F1"},
	})
	var content []byte
	for {
		reply := s.ask(fmt.Sprintf("vFile:pread:2,10000,%x", len(content)))
		var n int
		head, body, _ := strings.Cut(reply, ";")
		if _, err := fmt.Sscanf(head, "F%x", &n); err != nil {
			t.Fatalf("reply %.20q", reply)
		}
		data, ok := unescape([]byte(body))
		if !ok || len(data) != n || len(reply) > s.packetSize {
			t.Fatalf("reply of %d bytes with %d of %d", len(reply), len(data), n)
		}
		if n == 0 {
			break
		}
		content = append(content, data...)
	}
	if diff := cmp.Diff(file, content); diff != "" {
		t.Errorf("the file came out wrong: (-want +got)\n%s", diff)
	}
	for range maxOpenFiles {
		s.ask("vFile:open:" + name + ",0,0")
	}
	check(t, s, []exchange{{"vFile:open:" + name + ",0,0", "F-1,18"}})
	s.files.closeAll()
	if target.opened != target.closed || target.opened != maxOpenFiles+1 {
		t.Errorf("%d files opened, %d closed", target.opened, target.closed)
	}
}
