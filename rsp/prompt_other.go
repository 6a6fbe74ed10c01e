//go:build !linux

package rsp

import "time"

func readSoon(uintptr, []byte, time.Duration) (n int, unfit bool) { return 0, true }

func writeNow(uintptr, []byte) (n int, unfit bool) { return 0, true }
