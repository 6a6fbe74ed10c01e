package client

import "testing"

func TestFirstError(t *testing.T) {
	for said, want := range map[string]string{
		"": "",
		"In file included from a.c:9:\nb.c: In function 'f':\nb.c:67:98: error: 'X' undeclared\nb.c:67:98: note: once\n": "b.c:67:98: error: 'X' undeclared",
		"cannot execute cc1\nmore\n": "cannot execute cc1",
	} {
		if got := firstError(said); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}
