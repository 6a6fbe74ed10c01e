// Package devicetest has a client of a device for tests: it speaks the protocol by hand, as the description
// of package device says. It knows no API and no runtime.
//
// Entry points: [Listen], [Connect].
package devicetest
