// generator posts load to a webhook sender and receives what it delivers.
//
// It is a program of its own, in Go, because one in Node would take the processors that it
// measures: posting straight to its own endpoints it reaches some ten times the product's rate. It
// reads one JSON command a line from standard input and answers each with one line on standard
// output. Commands run concurrently, so that an endpoint's behaviour can be changed in the middle
// of a run. It ends with its standard input.
//
// Latency is from the moment before a post to the arrival of the whole body at the endpoint, by one
// clock.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"sync"
)

type command struct {
	ID   int64           `json:"id"`
	Do   string          `json:"do"`
	With json.RawMessage `json:"with"`
}

type answer struct {
	ID    int64  `json:"id"`
	Error string `json:"error,omitempty"`
	Value any    `json:"value,omitempty"`
}

// A plan of 1,000 paths is some 100 KB.
const maxCommandBytes = 16 << 20

func main() {
	out := json.NewEncoder(os.Stdout)
	var writing sync.Mutex
	say := func(a answer) {
		writing.Lock()
		defer writing.Unlock()
		_ = out.Encode(a)
	}
	r := newReceiver()
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 64<<10), maxCommandBytes)
	for lines.Scan() {
		var c command
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			say(answer{Error: "not a command: " + err.Error()})
			continue
		}
		go func() {
			value, err := obey(r, c)
			if err != nil {
				say(answer{ID: c.ID, Error: err.Error()})
				return
			}
			say(answer{ID: c.ID, Value: value})
		}()
	}
}

func obey(r *receiver, c command) (any, error) {
	switch c.Do {
	case "open":
		return with(c, r.open)
	case "close":
		return with(c, r.close)
	case "behave":
		return with(c, r.behave)
	case "run":
		return with(c, r.run)
	case "expect":
		return with(c, r.expect)
	case "arrivals":
		return with(c, r.arrivals)
	}
	return nil, fmt.Errorf("unknown command %q", c.Do)
}

func with[In, Out any](c command, do func(In) (Out, error)) (any, error) {
	var in In
	if len(c.With) > 0 {
		if err := json.Unmarshal(c.With, &in); err != nil {
			return nil, err
		}
	}
	return do(in)
}
