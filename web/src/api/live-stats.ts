/**
 * What waits and moves just now, each second, over a WebSocket. While there is none (a proxy that
 * passes no upgrades on, a server that restarts) the same is asked for from time to time.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { answerOf, api } from './client.ts'
import type { paths } from '../generated/api.ts'

export type Stats = paths['/api/v1/stats']['get']['responses']['200']['content']['application/json']

const KEY = ['stats']
const ASK_MS = 5_000
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 30_000
/** The session or key is not in force any more: asking again would change nothing. */
const UNAUTHORIZED = 4401

export interface LiveStats {
  stats: Stats | undefined
  /** They come by themselves, each second. */
  isLive: boolean
  error: unknown
}

export function useLiveStats(): LiveStats {
  const client = useQueryClient()
  const [isLive, setLive] = useState(false)
  useEffect(
    () => listen((stats) => client.setQueryData(KEY, stats), setLive),
    // The client is the page's own.
    [client],
  )
  const query = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => answerOf(api.GET('/api/v1/stats', { signal })),
    ...(isLive ? {} : { refetchInterval: ASK_MS }),
    staleTime: ASK_MS,
  })
  return { stats: query.data, isLive, error: query.error }
}

/** Keeps a WebSocket open until it is told to stop, each time waiting longer for the next. */
function listen(onStats: (stats: Stats) => void, onLive: (isLive: boolean) => void): () => void {
  let socket: WebSocket | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let waitMs = FIRST_WAIT_MS
  let isStopped = false
  function open(): void {
    const url = new URL('/api/v1/stats/ws', location.href)
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
    socket = new WebSocket(url)
    socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
      waitMs = FIRST_WAIT_MS
      onStats(JSON.parse(data) as Stats)
      onLive(true)
    })
    socket.addEventListener('close', ({ code }) => {
      if (isStopped) return
      onLive(false)
      if (code === UNAUTHORIZED) return
      timer = setTimeout(open, waitMs)
      waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)
    })
  }
  open()
  return () => {
    isStopped = true
    clearTimeout(timer)
    socket?.close()
  }
}
