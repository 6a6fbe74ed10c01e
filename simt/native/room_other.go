//go:build (amd64 && darwin) || (arm64 && linux)

package native

// room finds memory for code, and what gives it back.
func room(code []byte) (mem []byte, leave func(), err error) { return mapped(code) }
