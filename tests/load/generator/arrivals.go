// Counts which of a run's events arrived: once, several times or never, and when. An event's number
// stands in its body as "n":<number>.
package main

import (
	"bytes"
	"sort"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

type arrivals struct {
	from, to int64 // numbers [from, to)
	sentAt   []int64

	mu       sync.Mutex
	seen     map[int]bitset
	samples  []sample
	first    atomic.Int64
	last     atomic.Int64
	count    atomic.Int64
	repeated atomic.Int64
}

type sample struct {
	event    int32
	endpoint int32
	at       int64
}

type bitset []uint64

func newArrivals(from, to int64) *arrivals {
	return &arrivals{from: from, to: to, sentAt: make([]int64, to-from), seen: map[int]bitset{}}
}

var mark = []byte(`"n":`)

// numberIn reads the event's number from a body; -1 when there is none.
func numberIn(body []byte) int64 {
	i := bytes.Index(body, mark)
	if i < 0 {
		return -1
	}
	i += len(mark)
	for i < len(body) && body[i] == ' ' {
		i++
	}
	end := i
	for end < len(body) && body[end] >= '0' && body[end] <= '9' {
		end++
	}
	n, err := strconv.ParseInt(string(body[i:end]), 10, 64)
	if err != nil {
		return -1
	}
	return n
}

func (r *receiver) arrived(endpoint int, body []byte) {
	now := time.Now().UnixNano()
	n := numberIn(body)
	r.mu.RLock()
	var run *arrivals
	// The newest run first: nearly everything that arrives belongs to it.
	for i := len(r.runs) - 1; i >= 0; i-- {
		if n >= r.runs[i].from && n < r.runs[i].to {
			run = r.runs[i]
			break
		}
	}
	r.mu.RUnlock()
	if run != nil {
		run.add(endpoint, n-run.from, now)
	}
}

func (a *arrivals) add(endpoint int, event int64, now int64) {
	a.mu.Lock()
	bits := a.seen[endpoint]
	if bits == nil {
		bits = make(bitset, (a.to-a.from+63)/64)
		a.seen[endpoint] = bits
	}
	isNew := bits[event/64]&(1<<(event%64)) == 0
	if isNew {
		bits[event/64] |= 1 << (event % 64)
		a.samples = append(a.samples, sample{int32(event), int32(endpoint), now})
	}
	a.mu.Unlock()
	if !isNew {
		a.repeated.Add(1)
		return
	}
	a.count.Add(1)
	a.first.CompareAndSwap(0, now)
	a.last.Store(now)
}

// quantile answers the value below which a share q of the sorted values lies.
func quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	i := int(q * float64(len(sorted)))
	return sorted[min(i, len(sorted)-1)]
}

type latency struct {
	Count int     `json:"count"`
	P50   float64 `json:"p50"`
	P90   float64 `json:"p90"`
	P99   float64 `json:"p99"`
	Max   float64 `json:"max"`
}

func latencyOf(ms []float64) latency {
	sort.Float64s(ms)
	return latency{len(ms), quantile(ms, .5), quantile(ms, .9), quantile(ms, .99), quantile(ms, 1)}
}

type bucket struct {
	At float64 `json:"at"` // ms since 1970
	latency
}

// series groups latencies by the time of their post.
func series(from int64, bucketMs int, sent []int64, ms []float64) []bucket {
	groups := map[int64][]float64{}
	last := int64(0)
	for i, at := range sent {
		group := (at - from) / int64(time.Millisecond) / int64(bucketMs)
		groups[group] = append(groups[group], ms[i])
		last = max(last, group)
	}
	out := []bucket{}
	for group := int64(0); group <= last; group++ {
		at := float64(from)/1e6 + float64(group)*float64(bucketMs)
		out = append(out, bucket{at, latencyOf(groups[group])})
	}
	return out
}

type numbers struct {
	Count int64 `json:"count"`
}

// expect reserves numbers for events that another program posts, and answers the first.
func (r *receiver) expect(n numbers) (map[string]any, error) {
	a := r.begin(n.Count)
	return map[string]any{"from": a.from}, nil
}

func (r *receiver) begin(count int64) *arrivals {
	r.mu.Lock()
	defer r.mu.Unlock()
	a := newArrivals(r.next, r.next+count)
	r.next += count
	r.runs = append(r.runs, a)
	return a
}

type which struct {
	From int64 `json:"from"`
}

// arrivals answers the counts of a run that was begun by expect.
func (r *receiver) arrivals(w which) (map[string]any, error) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, run := range r.runs {
		if run.from == w.From {
			return map[string]any{
				"at": nowMs(), "delivered": run.count.Load(), "repeated": run.repeated.Load(),
				"firstAt": float64(run.first.Load()) / 1e6, "lastAt": float64(run.last.Load()) / 1e6,
			}, nil
		}
	}
	return map[string]any{"delivered": 0}, nil
}
