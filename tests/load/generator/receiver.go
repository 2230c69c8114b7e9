// The receiving side: doors (listening addresses) that open and close, and any number of endpoints
// behind them, each with a behaviour of its own. An endpoint is the path /<number>; the door makes
// no difference.
package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// behaviour is what an endpoint does with a request. The zero value answers 200 at once.
type behaviour struct {
	DelayMs int `json:"delayMs"` // delay before the answer
	HangMs  int `json:"hangMs"`  // reads, does not count the arrival, and answers after this or when the behaviour changes
	PauseMs int `json:"pauseMs"` // reads nothing for this long, then behaves as before
	Status  int `json:"status"`  // 0: 200
}

type endpoint struct {
	behaviour
	pausedUntil time.Time
	changed     chan struct{}
	hung        atomic.Int64
}

type receiver struct {
	mu        sync.RWMutex
	doors     map[string]*door
	endpoints map[int]*endpoint
	next      int64 // the number of the first event of the next run
	runs      []*arrivals
}

type door struct {
	server   *http.Server
	listener net.Listener
}

func newReceiver() *receiver {
	return &receiver{doors: map[string]*door{}, endpoints: map[int]*endpoint{}}
}

type at struct {
	Address string `json:"address"` // host:port; port 0: any
}

// open listens, and answers the address and the time by the clock of arrivals.
func (r *receiver) open(a at) (map[string]any, error) {
	l, err := net.Listen("tcp", a.Address)
	if err != nil {
		return nil, err
	}
	d := &door{listener: l, server: &http.Server{Handler: http.HandlerFunc(r.serve)}}
	r.mu.Lock()
	r.doors[l.Addr().String()] = d
	r.mu.Unlock()
	go func() { _ = d.server.Serve(l) }()
	return map[string]any{"address": l.Addr().String(), "at": nowMs()}, nil
}

// close ends the door and its connections, so that new ones are refused.
func (r *receiver) close(a at) (map[string]any, error) {
	r.mu.Lock()
	d := r.doors[a.Address]
	delete(r.doors, a.Address)
	r.mu.Unlock()
	if d == nil {
		return nil, fmt.Errorf("no door at %s", a.Address)
	}
	err := d.server.Close()
	return map[string]any{"at": nowMs()}, err
}

type behaviours struct {
	Endpoints []int `json:"endpoints"`
	behaviour
}

func (r *receiver) behave(b behaviours) (map[string]any, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	hung := int64(0)
	for _, number := range b.Endpoints {
		e := r.endpoints[number]
		if e == nil {
			e = &endpoint{changed: make(chan struct{})}
			r.endpoints[number] = e
		}
		hung += e.hung.Load()
		if b.PauseMs > 0 {
			e.pausedUntil = time.Now().Add(time.Duration(b.PauseMs) * time.Millisecond)
			continue
		}
		e.behaviour = b.behaviour
		close(e.changed)
		e.changed = make(chan struct{})
	}
	return map[string]any{"at": nowMs(), "hung": hung}, nil
}

func (r *receiver) serve(w http.ResponseWriter, q *http.Request) {
	number, err := strconv.Atoi(q.URL.Path[1:])
	if err != nil {
		w.WriteHeader(404)
		return
	}
	r.mu.RLock()
	var is behaviour
	var paused time.Time
	var changed chan struct{}
	e := r.endpoints[number]
	if e != nil {
		is, paused, changed = e.behaviour, e.pausedUntil, e.changed
	}
	r.mu.RUnlock()
	if wait := time.Until(paused); wait > 0 {
		time.Sleep(wait)
	}
	body, err := io.ReadAll(q.Body)
	if err != nil {
		return // the sender left before the body was whole
	}
	if is.HangMs > 0 {
		e.hung.Add(1)
		select {
		case <-time.After(time.Duration(is.HangMs) * time.Millisecond):
		case <-changed:
			r.arrived(number, body)
		case <-q.Context().Done():
		}
		w.WriteHeader(200)
		return
	}
	if is.Status == 0 || is.Status < 300 {
		r.arrived(number, body)
	}
	if is.DelayMs > 0 {
		time.Sleep(time.Duration(is.DelayMs) * time.Millisecond)
	}
	if is.Status != 0 {
		w.WriteHeader(is.Status)
		return
	}
	w.WriteHeader(200)
}

func nowMs() float64 { return float64(time.Now().UnixMicro()) / 1000 }
