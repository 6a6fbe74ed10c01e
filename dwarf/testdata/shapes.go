// A program with most of what Go has in debug information.
package main

import (
	"fmt"
	"os"
)

type shape interface{ area() float64 }

type square struct {
	side float64
	tags map[string][]int
}

func (s square) area() float64 { return s.side * s.side }

//go:noinline
func total(list []shape) (sum float64) {
	for _, s := range list {
		part := s.area()
		sum += part
	}
	return sum
}

func main() {
	ch := make(chan int, 1)
	go func() { ch <- len(os.Args) }()
	fmt.Println(total([]shape{square{side: 2}}), <-ch)
}
