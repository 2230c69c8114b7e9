/**
 * How V8 keeps the memory of a process of ours in bounds: given to every process that runs services, wherever one is
 * started. Without it a process keeps what it once needed: V8 sizes its heap after the machine, and on one of 24 GB lets
 * the young generation grow to 128 MiB and the old one to several times what is alive before it collects.
 *
 * Measured with a backlog of half a million, `standalone`: docs/performance.md. It bounds garbage, not what is alive: that
 * is the business of the queues, each of which has its maximum.
 */
export const HEAP_FLAGS = [
  // Two of 32 MiB, where V8 would take two of 64. With 16 a backlog takes 20 MiB less and an event up to 15 % more.
  '--max-semi-space-size=32',
  // Collected when half as much again as was alive has come to it: 50 to 65 MiB of the old generation are alive with a
  // backlog, and it was 90 at most. 1,000 events cost some 5 ms more of collections, of 300 ms.
  '--heap-growing-percent=50',
]
