package simt

import (
	"context"
	"strings"
	"testing"
)

// TestClusterOrder: clusters start one after the other, whole, and each workgroup once; its peers are where
// their ranks say.
func TestClusterOrder(t *testing.T) {
	for _, c := range [][3]uint32{{1, 1, 1}, {2, 1, 1}, {1, 3, 1}, {2, 3, 2}, {4, 1, 4}} {
		var order []*Workgroup
		y := &toy{size: 4, start: func(w *Wave) error { order = append(order, w.Group); return nil },
			program: []func(*Wave) EventKind{func(*Wave) EventKind { return BarrierEvent },
				func(*Wave) EventKind { return EndEvent }}}
		m, err := New(NewMemory(), y, Dispatch{Grid: [3]uint32{16, 6, 4}, Block: [3]uint32{4, 1, 1},
			Cluster: c})
		if err != nil {
			t.Fatal(err)
		}
		m.Resident = 1
		if err := m.Fill(); err != nil {
			t.Fatal(err)
		}
		size := int(c[0] * c[1] * c[2])
		if len(order) != size {
			t.Errorf("%v: %d workgroups at first", c, len(order))
		}
		if ev, err := m.Run(context.Background(), 1); err != nil || ev.Kind != EndEvent {
			t.Fatalf("%v: %v %v", c, ev, err)
		}
	}
}

// TestClusterPlaces holds the order of workgroups against their coordinates.
func TestClusterPlaces(t *testing.T) {
	d := Dispatch{Grid: [3]uint32{8, 6, 4}, Block: [3]uint32{1, 1, 1}, Cluster: [3]uint32{2, 3, 2}}
	seen := map[int]bool{}
	for n := range 8 * 6 * 4 {
		rank, cluster := n%12, n/12
		x := cluster%4*2 + rank%2
		y := cluster/4%2*3 + rank/2%3
		z := cluster/8*2 + rank/6
		if got, want := d.indexOf(n), (z*6+y)*8+x; got != want || seen[got] {
			t.Errorf("number %d is workgroup %d, want %d", n, got, want)
		}
		seen[d.indexOf(n)] = true
	}
}

func TestClusterIsChecked(t *testing.T) {
	for _, c := range []struct {
		d    Dispatch
		want string
	}{
		{Dispatch{Grid: [3]uint32{6, 1, 1}, Block: [3]uint32{2, 1, 1}, Cluster: [3]uint32{2, 1, 1}},
			"no multiple of the cluster"},
		{Dispatch{Grid: [3]uint32{32, 1, 1}, Block: [3]uint32{1, 1, 1}, Cluster: [3]uint32{32, 1, 1}},
			"more than 16 workgroups"},
		{Dispatch{Grid: [3]uint32{2, 1, 1}, Block: [3]uint32{1, 1, 1}, Cluster: [3]uint32{2, 1, 1},
			LDSSize: PeerLDS + 1}, "bytes of LDS"},
	} {
		if _, err := New(NewMemory(), &toy{size: 4}, c.d); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %s", c.d, err, c.want)
		}
	}
}
