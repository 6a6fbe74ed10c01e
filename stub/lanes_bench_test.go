package stub

import (
	"context"
	"fmt"
	"net"
	"testing"
	"time"

	"simtgdb/rsp"
)

// listed is a client's end of a session with many lanes. What it takes from a packet's arrival to the reply
// is reported beside the whole time.
func listed(b *testing.B, lanes int) (*rsp.Conn, func(packet string) string) {
	b.Helper()
	buffer := fmt.Sprintf("buf:f32[%d]=iota", lanes)
	s := sessionFor(b, "--grid", fmt.Sprint(lanes), "--block", "64", "--arg", buffer, "--arg", buffer,
		"--arg", buffer,
		"--arg", fmt.Sprintf("i32:%d", lanes), "--code-object", testdata+"/co/vecadd.gfx90a.O0.co")
	s.machine.Resident = lanes / 64
	if err := s.machine.Fill(); err != nil {
		b.Fatal(err)
	}
	ours, theirs := net.Pipe()
	var received time.Time
	var answering time.Duration
	trace := func(d rsp.Direction, _ []byte) {
		if d == rsp.Received {
			received = time.Now()
		} else {
			answering += time.Since(received)
		}
	}
	go rsp.ServeConn(context.Background(), theirs, s, rsp.Options{Trace: trace})
	client := rsp.NewConn(ours, rsp.ConnOptions{})
	b.Cleanup(func() {
		client.Close()
		b.ReportMetric(float64(answering.Nanoseconds())/float64(max(b.N, 1)), "answering-ns/op")
	})
	ask := func(packet string) string {
		if err := client.Send([]byte(packet)); err != nil {
			b.Fatal(err)
		}
		reply, err := client.Receive()
		if err != nil {
			b.Fatal(err)
		}
		return string(reply)
	}
	ask("QStartNoAckMode")
	client.SetNoAck()
	return client, ask
}

// BenchmarkInfoThreads answers what gdb asks for a lane that info threads lists: 5 packets.
func BenchmarkInfoThreads(b *testing.B) {
	const lanes = 16384
	_, ask := listed(b, lanes)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if ask(fmt.Sprintf("Hg%x", i%lanes+1)) != "OK" {
			b.Fatal("no such thread")
		}
		ask("g")
		ask("m1a00,1")
		ask("m1a00,1")
		if reply := ask("m2000000000000,40"); reply[0] == 'E' {
			b.Fatal(reply)
		}
	}
}

// BenchmarkStep steps a lane while all others run: what stepi has besides the list.
func BenchmarkStep(b *testing.B) {
	const lanes = 16384
	_, ask := listed(b, lanes)
	for b.Loop() {
		if reply := ask("vCont;s:1;c"); reply[0] != 'T' {
			b.Skip("the program has ended") // after some thousand steps
		}
	}
}

// BenchmarkThreadList makes the list of lanes that gdb asks for at each stop.
func BenchmarkThreadList(b *testing.B) {
	const lanes = 16384
	_, ask := listed(b, lanes)
	b.ReportAllocs()
	for b.Loop() {
		for offset := 0; ; offset += 0x1000 {
			if reply := ask(fmt.Sprintf("qXfer:threads:read::%x,1000", offset)); reply[0] != 'm' {
				break
			}
		}
	}
}
