package main

import (
	"sort"
	"time"
)

type senderOutcome struct {
	Name          string          `json:"name"`
	Posted        int64           `json:"posted"`
	Accepted      int64           `json:"accepted"`
	Refused       map[string]int  `json:"refused"`
	Delivered     int64           `json:"delivered"`
	Lost          int64           `json:"lost"` // accepted and not arrived; for a sender beside it, what has not arrived yet
	Repeated      int64           `json:"repeated"`
	AcceptedPerS  float64         `json:"acceptedPerS"`
	DeliveredPerS float64         `json:"deliveredPerS"`
	Ack           latency         `json:"ack"`
	EndToEnd      latency         `json:"endToEnd"`
	WorstEndpoint latency         `json:"worstEndpoint"` // the one with the highest p99
	PerEndpoint   map[int]latency `json:"perEndpoint,omitempty"`
	Series        []bucket        `json:"series,omitempty"`
}

func (s *sender) outcome(bucketMs int) senderOutcome {
	a := s.arrivals
	a.mu.Lock()
	defer a.mu.Unlock()
	var all []float64
	var sent []int64
	by := map[int][]float64{}
	delivered := int64(0)
	for _, one := range a.samples {
		at := a.sentAt[one.event]
		if at == 0 {
			continue
		}
		delivered++
		ms := float64(one.at-at) / 1e6
		all, sent = append(all, ms), append(sent, at)
		by[int(one.endpoint)] = append(by[int(one.endpoint)], ms)
	}
	out := senderOutcome{
		Name: s.plan.Name, Posted: s.posted.Load(), Accepted: s.accepted.Load(), Refused: s.refusals,
		Delivered: delivered, Repeated: a.repeated.Load(),
		AcceptedPerS:  rate(s.accepted.Load(), s.ended.Sub(s.begun)),
		DeliveredPerS: rate(delivered, time.Unix(0, a.last.Load()).Sub(s.begun)),
		Ack:           latencyOf(s.acks),
	}
	if s.plan.Fan > 0 {
		out.Lost = max(0, out.Accepted*int64(s.plan.Fan)-delivered)
	}
	if bucketMs > 0 {
		out.Series = series(s.begun.UnixNano(), bucketMs, sent, all)
	}
	numbers := make([]int, 0, len(by))
	for number := range by {
		numbers = append(numbers, number)
	}
	sort.Ints(numbers)
	if s.plan.PerEndpoint {
		out.PerEndpoint = map[int]latency{}
	}
	for _, number := range numbers {
		l := latencyOf(by[number])
		if l.P99 > out.WorstEndpoint.P99 {
			out.WorstEndpoint = l
		}
		if s.plan.PerEndpoint {
			out.PerEndpoint[number] = l
		}
	}
	out.EndToEnd = latencyOf(all)
	return out
}

func rate(count int64, over time.Duration) float64 {
	if over <= 0 {
		return 0
	}
	return float64(count) / over.Seconds()
}
