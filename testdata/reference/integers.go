package reference

import "math/bits"

func reduction(l *Launch) {
	in, sums := input[uint32](l, 0), input[uint32](l, 1)
	size := l.Block[0]
	for i, v := range in[:l.items(l.i32(2))] {
		sums[i/size] += v
	}
	set(l, 1, sums)
}

func demo(l *Launch) {
	in, out := input[int32](l, 0), input[int32](l, 1)
	for id := range l.items(l.i32(2)) {
		value := in[id]
		if value%3 == 0 {
			rounds := 1 + value%4
			out[id] = 0
			for k := int32(1); k <= rounds; k++ {
				out[id] += value * k
			}
		} else {
			out[id] = -(value / 2)
		}
	}
	set(l, 1, out)
}

func recursion(l *Launch) {
	results := input[int32](l, 0)
	for id := range l.items(l.i32(1)) {
		results[id] = walk(int32(id%7), 1)
	}
	set(l, 0, results)
}

func walk(depth, path int32) int32 {
	if depth <= 0 {
		return path
	}
	return walk(depth-1, path*2) - 3*walk(depth-2, path*2+1) + depth
}

func earlyReturn(l *Launch) {
	in, out := input[uint32](l, 0), input[int32](l, 1)
	for id := range l.items(l.i32(2)) {
		kind := classify(in[id])
		switch id & 3 {
		case 0:
			out[id] = kind
		case 1:
			if kind >= 0 {
				out[id] = kind * 2
			}
		case 2:
			out[id] = kind ^ 0x55 + 1000
		default:
			out[id] = kind + 1000
		}
	}
	set(l, 1, out)
}

func classify(value uint32) int32 {
	switch value % 11 {
	case 0:
		return 100
	case 1, 2:
		if value&16 != 0 {
			return 200
		}
	case 3:
		return 300 + int32((value+7)&15)
	case 4:
		return 300 + int32(value&15)
	case 7:
		return 400 + int32(bits.TrailingZeros32(value))
	case 9:
		return -1
	}
	return int32(value % 50)
}

func privateArray(l *Launch) {
	in, out := input[uint32](l, 0), input[int32](l, 1)
	for id := range l.items(l.i32(2)) {
		var small [8]int32
		for k := range small {
			small[k] = int32(k * id)
		}
		var table [100]int16
		for k := range table {
			table[k] = int16(k*7 - id)
		}
		state := in[id]
		for range 12 {
			slot, entry := state%8, state/8%100
			small[slot] += int32(table[entry])
			table[(entry+slot)%100] ^= int16(state)
			state = state*1664525 + 1013904223
		}
		check := uint32(0)
		for _, v := range small {
			check = check*31 + uint32(v)
		}
		out[2*id] = int32(check)
		out[2*id+1] = int32(table[state%100])
	}
	set(l, 1, out)
}

func functionTable(l *Launch) {
	var operations []func(a, b int32) int32
	operations = []func(a, b int32) int32{
		func(a, b int32) int32 { return a + b },
		func(a, b int32) int32 { return a - b },
		func(a, b int32) int32 { return a * b },
		func(a, b int32) int32 {
			if b == 0 {
				return a
			}
			return a % b
		},
		func(a, b int32) int32 { return operations[uint32(a)%4](b, a) + 1 },
	}
	in, out := input[int32](l, 0), input[int32](l, 1)
	for id := range l.items(l.i32(2)) {
		accumulator := int32(id)
		for round := range int32(3) {
			accumulator = operations[uint32(in[id]+round)%5](accumulator, in[id])
		}
		out[id] = accumulator
	}
	set(l, 1, out)
}

func preserved(l *Launch) {
	inner := func(value int32) int32 { return ((value+1+7)*3+4*2)*2 - (value ^ 0x3333) }
	middle := func(value int32) int32 { return inner(value+1) - (value ^ 0x2222) }
	outer := func(value int32) int32 { return middle(value+1)*5 - (value ^ 0x1111) }
	results := input[int32](l, 0)
	for id := range l.items(l.i32(1)) {
		if id%2 == 0 {
			results[id] = outer(int32(id) * 10)
		} else {
			results[id] = middle(int32(id) * 10)
		}
	}
	set(l, 0, results)
}

// tally is the struct of atomics.hip.
type tally struct {
	Sum, Least, Most int32
	Product          uint32
	Bits, Parity     uint32
	Wheel, Winners   uint32
	Weight           float32
	Pad              uint32
	Total, Top       uint64
}

// emptyTally is what no value has been counted into.
var emptyTally = tally{Least: 1<<31 - 1, Most: -1 << 31, Product: 1}

func (t *tally) count(v uint32, flags []uint32) {
	t.Sum += int32(v)
	t.Least, t.Most = min(t.Least, int32(v)), max(t.Most, int32(v))
	t.Product *= v | 1
	t.Bits |= v & (v >> 7)
	t.Parity ^= v
	t.Wheel = (t.Wheel + 1) % 37
	if flags[v%16] == 0 {
		t.Winners++
	}
	flags[v%16] = 1
	t.Weight += float32(v % 8)
	t.Total += uint64(v) * 65537
	t.Top = max(t.Top, uint64(v)<<9)
}

func atomics(l *Launch) {
	in, groups := input[uint32](l, 0), input[tally](l, 1)
	all, flags := input[tally](l, 2), input[uint32](l, 3)
	size := l.Block[0]
	for group := range groups {
		mine, mineFlags := emptyTally, make([]uint32, 16)
		for _, v := range in[min(group*size, l.i32(4)):min((group+1)*size, l.i32(4))] {
			mine.count(v, mineFlags)
			all[0].count(v, flags)
		}
		groups[group] = mine
	}
	set(l, 1, groups)
	set(l, 2, all)
	set(l, 3, flags)
}

// place is the struct of grid3d.hip.
type place struct {
	Local, Group, Size [3]uint16
	Dimensions         uint16
	Linear             uint32
}

func grid3d(l *Launch) {
	places := input[place](l, 0)
	for linear := range places {
		at := [3]int{linear % l.Grid[0], linear / l.Grid[0] % l.Grid[1], linear / l.Grid[0] / l.Grid[1]}
		p := place{Dimensions: 1, Linear: uint32(linear)}
		for d, x := range at {
			size := l.Block[d]
			p.Local[d], p.Group[d] = uint16(x%size), uint16(x/size)
			p.Size[d] = uint16(min(size, l.Grid[d]-x/size*size))
			if d > 0 && l.Grid[d] > 1 {
				p.Dimensions++
			}
		}
		places[linear] = p
	}
	set(l, 0, places)
}

// lanes holds for workgroups that are whole waves of 64.
func lanes(l *Launch) {
	const wave, results = 64, 8
	in, out, ballots := input[uint32](l, 0), input[uint32](l, 1), input[uint64](l, 2)
	for w := range ballots {
		v := in[w*wave : (w+1)*wave]
		var ballot uint64
		for lane, x := range v {
			if x&4 != 0 {
				ballot |= 1 << lane
			}
		}
		ballots[w] = ballot
		for lane, x := range v {
			o := out[(w*wave+lane)*results:][:results]
			o[0] = uint32(lane)
			o[1] = uint32(bits.OnesCount64(ballot & (1<<lane - 1)))
			o[2] = v[0]
			if x&4 != 0 {
				o[2] += v[bits.TrailingZeros64(ballot)]
			}
			o[3] = v[17]
			o[4] = v[x&63]
			o[5] = v[63-lane]
			o[6] = v[lane^3]
			o[7] = ^uint32(0)
			if lane%16 != 0 {
				o[7] = v[lane-1]
			}
		}
	}
	set(l, 1, out)
	set(l, 2, ballots)
}

func lds(l *Launch) {
	in, out := input[int32](l, 0), input[int32](l, 1)
	size := l.Block[0]
	for i := range l.Grid[0] {
		id := i % size
		other := size - 1 - id
		there := in[i-id+other]
		scaled, weight := float32(there)*0.5, float32(other)
		out[i] = int32((scaled+weight)*2) + there + 1000 + int32(int16(there*3)) + 7 + 12
	}
	set(l, 1, out)
}
