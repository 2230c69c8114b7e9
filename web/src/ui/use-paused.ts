/** For what each pause in typing asks once. */
import { useEffect, useState } from 'react'

const PAUSE_MS = 450

/** @returns the value as it was when it last stayed the same for a moment */
export function usePaused<Value>(value: Value): Value {
  const [paused, setPaused] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return paused
}
