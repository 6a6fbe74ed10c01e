//go:build !linux

package native

const populate = 0
