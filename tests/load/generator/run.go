// A run: several senders at once, each with a rate or a number of connections, until everything
// that was accepted has arrived.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

type plan struct {
	Senders  []senderPlan `json:"senders"`
	WaitMs   int          `json:"waitMs"` // the longest wait after the last post
	IdleMs   int          `json:"idleMs"` // gives up when nothing has arrived for this long
	BucketMs int          `json:"bucketMs"`
}

type outcome struct {
	Senders []senderOutcome `json:"senders"`
	Seconds float64         `json:"seconds"` // from the first post to the last arrival of the senders that are awaited
	CPU     float64         `json:"cpuSeconds"`
}

func (r *receiver) run(p plan) (outcome, error) {
	senders := make([]*sender, len(p.Senders))
	for i, one := range p.Senders {
		if len(one.URLs) == 0 {
			return outcome{}, fmt.Errorf("%s has nowhere to post to", one.Name)
		}
		count := int64(one.Count)
		senders[i] = &sender{plan: one, arrivals: r.begin(count), client: clientFor(one)}
	}
	cpu := processSeconds()
	stop := make(chan struct{})
	var measured, all sync.WaitGroup
	begun := time.Now()
	for _, s := range senders {
		all.Add(1)
		if !s.plan.Beside {
			measured.Add(1)
		}
		go func() {
			defer all.Done()
			time.Sleep(time.Duration(s.plan.AfterMs) * time.Millisecond)
			s.begun = time.Now()
			s.post(stop)
			s.ended = time.Now()
			if !s.plan.Beside {
				measured.Done()
			}
		}()
	}
	measured.Wait()
	waitFor(senders, time.Duration(p.WaitMs)*time.Millisecond, time.Duration(p.IdleMs)*time.Millisecond)
	close(stop)
	all.Wait()
	out := outcome{CPU: processSeconds() - cpu}
	end := begun.UnixNano()
	for _, s := range senders {
		if !s.plan.Beside {
			end = max(end, s.arrivals.last.Load(), s.ended.UnixNano())
		}
		out.Senders = append(out.Senders, s.outcome(p.BucketMs))
	}
	out.Seconds = time.Unix(0, end).Sub(begun).Seconds()
	return out, nil
}

// waitFor waits for the arrivals of all senders that are not beside.
func waitFor(senders []*sender, wait, idle time.Duration) {
	deadline := time.Now().Add(wait)
	latest := time.Now().UnixNano()
	for time.Now().Before(deadline) {
		missing := int64(0)
		for _, s := range senders {
			if s.plan.Beside {
				continue
			}
			missing += s.accepted.Load()*int64(s.plan.Fan) - s.arrivals.count.Load()
			latest = max(latest, s.arrivals.last.Load())
		}
		if missing <= 0 || time.Since(time.Unix(0, latest)) > idle {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func processSeconds() float64 {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
}

var keys = time.Now().UnixNano()
var keyNumber atomic.Int64
