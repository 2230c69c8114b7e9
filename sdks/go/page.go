package posthorn

import (
	"context"
	"fmt"
	"iter"
	"maps"
)

// Page is a part of a list.
type Page[Item any] struct {
	Data       []Item     `json:"data"`
	Pagination Pagination `json:"pagination"`
}

// Next is the cursor of the page that follows; "" after the last.
func (p *Page[Item]) Next() string {
	if !p.Pagination.HasMore || p.Pagination.Cursor == nil {
		return ""
	}
	return *p.Pagination.Cursor
}

// Collect gathers a list. It ends with an error beyond max records, so that no memory is filled by
// accident.
func Collect[Item any](list iter.Seq2[Item, error], max int) ([]Item, error) {
	all := []Item{}
	for item, err := range list {
		if err != nil {
			return all, err
		}
		if len(all) >= max {
			return all, fmt.Errorf("posthorn: the list has more than %d records", max)
		}
		all = append(all, item)
	}
	return all, nil
}

// sendForAll reads page after page. An error is the last that it yields.
func sendForAll[Item any](
	ctx context.Context, core *core, call apiCall, options []Option,
) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		// A list may be gone through twice, from its beginning each time.
		call := call
		call.query = maps.Clone(call.query)
		for {
			page, err := send[Page[Item]](ctx, core, call, options)
			if err != nil {
				yield(*new(Item), err)
				return
			}
			for _, item := range page.Data {
				if !yield(item, nil) {
					return
				}
			}
			if page.Next() == "" {
				return
			}
			call.query.Set("cursor", page.Next())
		}
	}
}
