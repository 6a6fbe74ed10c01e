//go:build linux

package device_test

import (
	"os"
	"testing"

	"simtgdb/stub/device"
	"simtgdb/stub/device/devicetest"
)

// A fake is a client that knows some kernels.
type fake struct {
	*devicetest.Client
	t testing.TB
}

func word(b []byte, i int) uint64 { return devicetest.Word(b, i) }

func listen(t testing.TB, o device.Options) *device.Server { return devicetest.Listen(t, o) }

func connect(t testing.TB, s *device.Server) *fake {
	t.Helper()
	return &fake{devicetest.Connect(t, s), t}
}

func contents(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile("../../testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
