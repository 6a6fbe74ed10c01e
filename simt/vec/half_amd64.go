package vec

// The functions of half_avx512_amd64.s.

//go:noescape
func addF16512(x *Args)

//go:noescape
func f16F32512(x *Args)

//go:noescape
func f32F16512(x *Args)

//go:noescape
func f32F64512(x *Args)

//go:noescape
func f64F32512(x *Args)

//go:noescape
func fmaF16512(x *Args)

//go:noescape
func mulF16512(x *Args)

//go:noescape
func pkAddF16512(x *Args)

//go:noescape
func pkFmaF16512(x *Args)

//go:noescape
func pkMulF16512(x *Args)

//go:noescape
func subF16512(x *Args)
