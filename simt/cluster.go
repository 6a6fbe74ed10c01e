package simt

import "fmt"

// PeerLDS is how far apart the LDS of workgroups of a cluster lie for each other: an address below it is in a
// workgroup's own, whose rank is R; byte n of that of rank r is at (r+1)*PeerLDS + n, for all of the cluster.
const PeerLDS = 1 << 24

// Owner is the workgroup in whose LDS an address of a workgroup leads, and where there; nil if there is no
// such.
func (g *Workgroup) Owner(addr uint64) (of *Workgroup, at uint64) {
	switch rank := addr/PeerLDS - 1; {
	case addr < PeerLDS || len(g.Peers) == 0:
		return g, addr
	case rank < uint64(len(g.Peers)):
		return g.Peers[rank], addr % PeerLDS
	}
	return nil, addr
}

// Shared is the address by which all workgroups of a cluster know a byte of a workgroup's LDS.
func (g *Workgroup) Shared(at uint64) uint64 { return uint64(g.Rank+1)*PeerLDS + at }

// Ended reports whether all of a workgroup's waves have come to their ends.
func (g *Workgroup) Ended() bool { return g.ended() }

// clusterSize is how many workgroups a cluster has, at least 1.
func (d *Dispatch) clusterSize() int {
	n := 1
	for _, c := range d.Cluster {
		n *= int(max(c, 1))
	}
	return n
}

// Clusters is how many clusters there are in each direction.
func (d *Dispatch) Clusters() [3]uint32 {
	n := d.Groups()
	for i := range n {
		n[i] /= max(d.Cluster[i], 1)
	}
	return n
}

// MaxClusterSize is the most workgroups a cluster can have.
const MaxClusterSize = 16

func (d *Dispatch) checkCluster() error {
	size := uint64(1)
	for i, n := range d.Groups() {
		c := max(d.Cluster[i], 1)
		if n%c != 0 {
			return fmt.Errorf("%v workgroups are no multiple of the cluster's %v", d.Groups(), d.Cluster)
		}
		if size *= uint64(c); size > MaxClusterSize {
			return fmt.Errorf("cluster %v: more than %d workgroups", d.Cluster, MaxClusterSize)
		}
	}
	if size > 1 && d.LDSSize > PeerLDS {
		return fmt.Errorf("%d bytes of LDS for a workgroup of a cluster, at most %d", d.LDSSize, PeerLDS)
	}
	return nil
}

// indexOf is the index of the workgroup that is started as the one with a number: clusters are started one
// after the other, each in the order of its ranks.
func (d *Dispatch) indexOf(number int) int {
	size := d.clusterSize()
	if size == 1 {
		return number
	}
	n, clusters := d.Groups(), d.Clusters()
	index, stride := 0, 1
	cluster, rank := number/size, number%size
	for i := range n {
		c := int(max(d.Cluster[i], 1))
		index += stride * (cluster%int(clusters[i])*c + rank%c)
		stride *= int(n[i])
		cluster /= int(clusters[i])
		rank /= c
	}
	return index
}

// join makes a workgroup that has started one of its cluster: of peers, those that were started just before.
// It gives these with it.
func (d *Dispatch) join(g *Workgroup, peers []*Workgroup) []*Workgroup {
	size := d.clusterSize()
	if size == 1 {
		return nil
	}
	if g.Rank = g.number % size; g.Rank == 0 {
		peers = make([]*Workgroup, size)
	}
	peers[g.Rank], g.Peers = g, peers
	return peers
}

// SameCluster reports whether two workgroups, by their indices, are of one cluster.
func (d *Dispatch) SameCluster(x, y int) bool {
	if d.clusterSize() == 1 {
		return x == y
	}
	var a, b Workgroup
	d.place(&a, x)
	d.place(&b, y)
	for i, c := range d.Cluster {
		if a.ID[i]/max(c, 1) != b.ID[i]/max(c, 1) {
			return false
		}
	}
	return true
}
