package posthorn

import (
	"encoding/json"
	"fmt"
	"net/url"
	"time"
)

// Ptr makes a field of a request that is sent even when it is 0 or false.
func Ptr[T any](value T) *T { return &value }

// Nullable is a field of a request that may be left out, null, or a value. As it is made, it is
// left out.
type Nullable[T any] struct {
	isGiven bool
	value   *T
}

// Value sends a value.
func Value[T any](value T) Nullable[T] { return Nullable[T]{true, &value} }

// Null sends null, by which a change takes a value away.
func Null[T any]() Nullable[T] { return Nullable[T]{isGiven: true} }

// MarshalJSON writes the value or null.
func (n Nullable[T]) MarshalJSON() ([]byte, error) { return json.Marshal(n.value) }

// set adds a parameter to a query unless it is zero.
func set[T comparable](query url.Values, name string, value T) {
	if zero := *new(T); value == zero {
		return
	}
	query.Set(name, fmt.Sprint(value))
	if at, isTime := any(value).(time.Time); isTime {
		query.Set(name, at.UTC().Format(time.RFC3339Nano))
	}
}
