/**
 * A value that is made when it is first asked for, and then kept. What it is made from is let go
 * with the making, which may be larger. A making that throws is tried again at the next call.
 */
export function lazily<Value>(make: () => Value): () => Value {
  let state: { make: () => Value } | { value: Value } = { make }
  return () => {
    if ('make' in state) state = { value: state.make() }
    return state.value
  }
}
