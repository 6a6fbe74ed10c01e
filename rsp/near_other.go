//go:build !linux

package rsp

import "io"

type processors struct{}

func onlyProcessor(int) (p processors)                      { return p }
func (*processors) has(int) bool                            { return false }
func allowedProcessors() (p processors, ok bool)            { return p, false }
func holdThread(processors) bool                            { return false }
func locator(io.ReadWriter) func() (processor int, ok bool) { return nil }
