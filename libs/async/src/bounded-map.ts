/** Maps that must not grow for ever: what was set longest ago goes first. */

/** Sets an entry as the newest one and drops the oldest where there are more than `maxEntries`. */
export function setNewest<Key, Value>(
  map: Map<Key, Value>,
  key: Key,
  value: Value,
  maxEntries: number,
): void {
  map.delete(key)
  map.set(key, value)
  if (map.size <= maxEntries) return
  const [oldest] = map.keys()
  map.delete(oldest as Key)
}
