//go:build !unix

package main

import "net"

// defaultListen is where gdb is waited for if the user says nothing: gdb has no sockets in the file system
// there.
func defaultListen() string { return "127.0.0.1:1234" }

// makePrivate has nothing to make for a port.
func makePrivate(string) error { return nil }

// listenPrivately makes a socket: who may connect is up to its folder.
func listenPrivately(path string) (net.Listener, error) { return net.Listen("unix", path) }
