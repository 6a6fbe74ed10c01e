package gen

// Comparisons of rows.

func lessD(a, b *row, n int) (flags uint32) {
	n = min(n, len(a))
	for k := 0; k+4 <= n; k += 4 {
		var bit uint32
		if int32(le.Uint32(a[k:k+4])) < int32(le.Uint32(b[k:k+4])) {
			bit = 1
		}
		flags |= bit << (k / 4 & 31)
	}
	return flags
}

func lessUD(a, b *row, n int) (flags uint32) {
	n = min(n, len(a))
	for k := 0; k+4 <= n; k += 4 {
		var bit uint32
		if le.Uint32(a[k:k+4]) < le.Uint32(b[k:k+4]) {
			bit = 1
		}
		flags |= bit << (k / 4 & 31)
	}
	return flags
}

func equal32(a, b *row, n int) (flags uint32) {
	n = min(n, len(a))
	for k := 0; k+4 <= n; k += 4 {
		var bit uint32
		if le.Uint32(a[k:k+4]) == le.Uint32(b[k:k+4]) {
			bit = 1
		}
		flags |= bit << (k / 4 & 31)
	}
	return flags
}

func lessQ(a, b *row, n int) (flags uint32) {
	n = min(n, len(a))
	for k := 0; k+8 <= n; k += 8 {
		var bit uint32
		if int64(le.Uint64(a[k:k+8])) < int64(le.Uint64(b[k:k+8])) {
			bit = 1
		}
		flags |= bit << (k / 8 & 31)
	}
	return flags
}

func lessUQ(a, b *row, n int) (flags uint32) {
	n = min(n, len(a))
	for k := 0; k+8 <= n; k += 8 {
		var bit uint32
		if le.Uint64(a[k:k+8]) < le.Uint64(b[k:k+8]) {
			bit = 1
		}
		flags |= bit << (k / 8 & 31)
	}
	return flags
}

func equal64(a, b *row, n int) (flags uint32) {
	n = min(n, len(a))
	for k := 0; k+8 <= n; k += 8 {
		var bit uint32
		if le.Uint64(a[k:k+8]) == le.Uint64(b[k:k+8]) {
			bit = 1
		}
		flags |= bit << (k / 8 & 31)
	}
	return flags
}

func lessF(a, b *row, n int) (flags uint32) {
	n = min(n, len(a))
	for k := 0; k+4 <= n; k += 4 {
		var bit uint32
		if f32(a[k:k+4]) < f32(b[k:k+4]) {
			bit = 1
		}
		flags |= bit << (k / 4 & 31)
	}
	return flags
}

func lessOrEqualF(a, b *row, n int) (flags uint32) {
	n = min(n, len(a))
	for k := 0; k+4 <= n; k += 4 {
		var bit uint32
		if f32(a[k:k+4]) <= f32(b[k:k+4]) {
			bit = 1
		}
		flags |= bit << (k / 4 & 31)
	}
	return flags
}

func equalF(a, b *row, n int) (flags uint32) {
	n = min(n, len(a))
	for k := 0; k+4 <= n; k += 4 {
		var bit uint32
		if f32(a[k:k+4]) == f32(b[k:k+4]) {
			bit = 1
		}
		flags |= bit << (k / 4 & 31)
	}
	return flags
}

func lessDF(a, b *row, n int) (flags uint32) {
	n = min(n, len(a))
	for k := 0; k+8 <= n; k += 8 {
		var bit uint32
		if f64(a[k:k+8]) < f64(b[k:k+8]) {
			bit = 1
		}
		flags |= bit << (k / 8 & 31)
	}
	return flags
}

func lessOrEqualDF(a, b *row, n int) (flags uint32) {
	n = min(n, len(a))
	for k := 0; k+8 <= n; k += 8 {
		var bit uint32
		if f64(a[k:k+8]) <= f64(b[k:k+8]) {
			bit = 1
		}
		flags |= bit << (k / 8 & 31)
	}
	return flags
}

func equalDF(a, b *row, n int) (flags uint32) {
	n = min(n, len(a))
	for k := 0; k+8 <= n; k += 8 {
		var bit uint32
		if f64(a[k:k+8]) == f64(b[k:k+8]) {
			bit = 1
		}
		flags |= bit << (k / 8 & 31)
	}
	return flags
}

func equal16(a, b *row, n int) (flags uint32) {
	n = min(n, len(a))
	for k := 0; k+2 <= n; k += 2 {
		var bit uint32
		if le.Uint16(a[k:k+2]) == le.Uint16(b[k:k+2]) {
			bit = 1
		}
		flags |= bit << (k / 2 & 31)
	}
	return flags
}
