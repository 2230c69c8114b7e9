/**
 * Only one `standalone` may work on a database: its bus and its state live in its process, and at
 * its start it takes over whatever was on its way. The lock is an advisory lock of Postgres and
 * ends with the connection that took it, however the process ends. When Postgres itself goes away,
 * the lock is taken again once Postgres is back.
 */
import pg from 'pg'

/** Any number that no other software uses, and that is not the one of the migrations. */
const LOCK = '31647391416446576'
/** For this long it waits for the connection of a predecessor that was killed just before. */
const WAIT_MS = 5_000
const ASK_MS = 50
const RETRY_MS = 500

export interface DatabaseLock {
  release(): Promise<void>
}

/**
 * @param onUsurped another `standalone` took the database while Postgres was away: this one must
 * end
 * @returns null when another works on this database
 */
export async function takeDatabase(
  databaseUrl: string,
  onUsurped: () => void,
): Promise<DatabaseLock | null> {
  let released = false
  let client: pg.Client | null = null

  async function take(): Promise<boolean> {
    client = await connect(databaseUrl, () => {
      if (!released) void retake()
    })
    if (await lock(client)) return true
    released = true
    await client.end()
    return false
  }

  async function retake(): Promise<void> {
    while (!released) {
      try {
        if (!(await take())) onUsurped()
        return
      } catch {
        // Postgres is still away.
        await pause(RETRY_MS)
      }
    }
  }

  if (!(await take())) return null
  return {
    async release() {
      released = true
      await client?.end().catch(() => {})
    },
  }
}

async function connect(databaseUrl: string, onLost: () => void): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'posthorn standalone',
    keepAlive: true,
  })
  let connected = false
  client.once('error', () => connected && onLost())
  client.on('error', () => {})
  await client.connect()
  connected = true
  return client
}

async function lock(client: pg.Client): Promise<boolean> {
  const deadline = performance.now() + WAIT_MS
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>(
      'SELECT pg_try_advisory_lock($1) AS taken',
      [LOCK],
    )
    if (rows[0]?.taken === true) return true
    if (performance.now() > deadline) return false
    await pause(ASK_MS)
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
