package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A plan's texts may contain placeholders. In Body, Item, header values and URLs: $N is the event's
// number, $K a key that is used once, $PAD filler of Pad bytes, $E the endpoint's number (the next
// of Targets), $ITEMS the items of a batch. In headers $HMAC is the hex HMAC-SHA256 of the body
// with Secret.
type senderPlan struct {
	Name        string            `json:"name"`
	Method      string            `json:"method"` // POST unless given
	URLs        []string          `json:"urls"`   // in turn
	Headers     map[string]string `json:"headers"`
	Body        string            `json:"body"`
	Item        string            `json:"item"`
	Batch       int               `json:"batch"` // events a call; 0: one
	Pad         int               `json:"pad"`
	Secret      string            `json:"secret"`
	Targets     []int             `json:"targets"`
	Count       int               `json:"count"` // events, or requests that are not events
	Connections int               `json:"connections"`
	Rate        float64           `json:"rate"` // events a second; 0: as fast as the connections allow
	Fan         int               `json:"fan"`  // deliveries of each event; 0: none is awaited
	Beside      bool              `json:"beside"`
	AfterMs     int               `json:"afterMs"`
	PerEndpoint bool              `json:"perEndpoint"`
}

type sender struct {
	plan         senderPlan
	arrivals     *arrivals
	client       *http.Client
	pad          string
	begun, ended time.Time
	accepted     atomic.Int64
	posted       atomic.Int64
	mu           sync.Mutex
	acks         []float64
	refusals     map[string]int
}

func clientFor(p senderPlan) *http.Client {
	// At a fixed rate a slow answer must not delay the next post.
	most := max(p.Connections, 64) * 4
	return &http.Client{
		Timeout:   60 * time.Second,
		Transport: &http.Transport{MaxIdleConnsPerHost: most, MaxConnsPerHost: most},
	}
}

func (s *sender) post(stop <-chan struct{}) {
	s.pad, s.refusals = strings.Repeat("x", s.plan.Pad), map[string]int{}
	size := max(s.plan.Batch, 1)
	calls := s.plan.Count / size
	var all sync.WaitGroup
	if s.plan.Rate > 0 {
		for i := 0; i < calls; i++ {
			due := s.begun.Add(time.Duration(float64(i*size) / s.plan.Rate * float64(time.Second)))
			select {
			case <-stop:
				all.Wait()
				return
			case <-time.After(time.Until(due)):
			}
			all.Add(1)
			go func() { defer all.Done(); s.call(i*size, size) }()
		}
	} else {
		var next atomic.Int64
		for c := 0; c < s.plan.Connections; c++ {
			all.Add(1)
			go func() {
				defer all.Done()
				for {
					i := int(next.Add(1)) - 1
					select {
					case <-stop:
						return
					default:
					}
					if i >= calls {
						return
					}
					s.call(i*size, size)
				}
			}()
		}
	}
	all.Wait()
}

func (s *sender) call(first, size int) {
	body, key := s.body(first, size)
	url := s.fill(s.plan.URLs[first/size%len(s.plan.URLs)], first, key)
	method := s.plan.Method
	if method == "" {
		method = http.MethodPost
	}
	req, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		s.refused(err.Error(), size, first)
		return
	}
	if body != "" {
		req.Header.Set("content-type", "application/json")
	}
	for name, value := range s.plan.Headers {
		value = s.fill(value, first, key)
		if strings.Contains(value, "$HMAC") {
			mac := hmac.New(sha256.New, []byte(s.plan.Secret))
			mac.Write([]byte(body))
			value = strings.ReplaceAll(value, "$HMAC", hex.EncodeToString(mac.Sum(nil)))
		}
		req.Header.Set(name, value)
	}
	start := time.Now()
	for i := first; i < first+size; i++ {
		atomic.StoreInt64(&s.arrivals.sentAt[i], start.UnixNano())
	}
	s.posted.Add(int64(size))
	res, err := s.client.Do(req)
	if err != nil {
		s.refused(errorWords(err), size, first)
		return
	}
	text, _ := io.ReadAll(res.Body)
	res.Body.Close()
	took := float64(time.Since(start).Microseconds()) / 1000
	if res.StatusCode >= 300 {
		s.refused(fmt.Sprintf("%d %s", res.StatusCode, text[:min(len(text), 200)]), size, first)
		return
	}
	s.accepted.Add(int64(size))
	s.mu.Lock()
	s.acks = append(s.acks, took)
	s.mu.Unlock()
}

func errorWords(err error) string {
	text := err.Error()
	return text[max(0, len(text)-60):]
}

// refused counts an event that was not accepted: it is not awaited and has no latency. That it may
// arrive all the same is not an error.
func (s *sender) refused(why string, size, first int) {
	for i := first; i < first+size; i++ {
		atomic.StoreInt64(&s.arrivals.sentAt[i], 0)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.refusals) < 10 || s.refusals[why] > 0 {
		s.refusals[why] += size
	} else {
		s.refusals["other"] += size
	}
}

func (s *sender) body(first, size int) (body, key string) {
	if s.plan.Batch == 0 {
		key = newKey()
		return s.fill(s.plan.Body, first, key), key
	}
	var items bytes.Buffer
	for i := first; i < first+size; i++ {
		if i > first {
			items.WriteByte(',')
		}
		items.WriteString(s.fill(s.plan.Item, i, newKey()))
	}
	key = newKey()
	return strings.Replace(s.plan.Body, "$ITEMS", items.String(), 1), key
}

func (s *sender) fill(template string, i int, key string) string {
	if !strings.Contains(template, "$") {
		return template
	}
	target := 0
	if len(s.plan.Targets) > 0 {
		target = s.plan.Targets[i%len(s.plan.Targets)]
	}
	number := strconv.FormatInt(s.arrivals.from+int64(i), 10)
	return strings.NewReplacer("$N", number, "$K", key, "$PAD", s.pad, "$E", strconv.Itoa(target)).Replace(template)
}

func newKey() string {
	return strconv.FormatInt(keys, 36) + "-" + strconv.FormatInt(keyNumber.Add(1), 36)
}
