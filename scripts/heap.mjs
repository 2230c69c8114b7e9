/**
 * Flags that keep the memory of a process of ours bounded, and its collector from the processors
 * that everything else needs: every process that runs services gets them, wherever it is started.
 * Without them a process keeps what it once needed: V8 sizes its heap after the machine, and on one
 * of 24 GB it lets the young generation grow to 128 MiB and the old one to several times what is
 * alive before it collects. docs/performance.md has the measurements.
 *
 * They bound garbage, not what is alive: that is the business of the queues, each of which has its
 * maximum.
 */
export const HEAP_FLAGS = [
  // Two semispaces of 32 MiB, where V8 would take two of 64. With 16 MiB a backlog takes 20 MiB
  // less and an event up to 15 % more.
  '--max-semi-space-size=32',
  // The old generation is collected when it has grown by half of what was alive. With a backlog 50
  // to 65 MiB of it are alive, and it was 90 at most. 1,000 events cost some 5 ms more of
  // collections, of 300 ms.
  '--heap-growing-percent=50',
  // Objects begin in the young generation. V8 would allocate those of some places in the old one,
  // because they survived while the process began. What they refer to then survives with them: of
  // what an event allocates 11 % were moved to the old generation instead of 4 %, and collections
  // took 560 to 640 ms for 30,000 events instead of 280.
  '--no-allocation-site-pretenuring',
  // One thread beside the main one collects, where Node would take four. On two processors those
  // took the time of the main thread and of Postgres whenever the old generation was collected:
  // every two seconds under load, what was under way took over 100 ms.
  '--v8-pool-size=1',
]
