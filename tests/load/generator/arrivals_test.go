package main

import "testing"

func TestQuantile(t *testing.T) {
	values := make([]float64, 100)
	for i := range values {
		values[i] = float64(i + 1)
	}
	for q, want := range map[float64]float64{0: 1, .5: 51, .99: 100, 1: 100} {
		if got := quantile(values, q); got != want {
			t.Errorf("quantile %v: %v, not %v", q, got, want)
		}
	}
	if got := quantile(nil, .5); got != 0 {
		t.Errorf("of nothing: %v", got)
	}
}

func TestNumberIn(t *testing.T) {
	for body, want := range map[string]int64{`{"n":12,"p":1}`: 12, `{"n": 7}`: 7, `{}`: -1, `{"n":"a"}`: -1} {
		if got := numberIn([]byte(body)); got != want {
			t.Errorf("%s: %d, not %d", body, got, want)
		}
	}
}

func TestArrivalsCountRepeatsByEndpoint(t *testing.T) {
	a := newArrivals(100, 300)
	a.add(1, 0, 10)
	a.add(2, 0, 11)
	a.add(1, 199, 12)
	a.add(1, 0, 13)
	if a.count.Load() != 3 || a.repeated.Load() != 1 || a.first.Load() != 10 || a.last.Load() != 12 {
		t.Errorf("%d arrived, %d again, from %d to %d", a.count.Load(), a.repeated.Load(), a.first.Load(), a.last.Load())
	}
}

func TestSeriesGroupsByTheTimeOfThePost(t *testing.T) {
	ms := int64(1e6)
	got := series(0, 100, []int64{10 * ms, 90 * ms, 310 * ms}, []float64{1, 3, 5})
	if len(got) != 4 || got[0].Count != 2 || got[1].Count != 0 || got[3].P50 != 5 || got[3].At != 300 {
		t.Errorf("%+v", got)
	}
}
