/** One `standalone` a database: the second waits in vain, and gets it when the first lets go. */
import { expect, test } from '@jest/globals'
import { createTestDatabase } from '@posthorn/testing/databases'
import { takeDatabase } from './take-database.ts'

test('only one has a database at a time', async () => {
  const database = await createTestDatabase()
  const usurped = (): never => {
    throw new Error('nobody took it')
  }
  const first = await takeDatabase(database.url, usurped)
  expect(first).not.toBeNull()
  expect(await takeDatabase(database.url, usurped)).toBeNull()
  await first?.release()
  const next = await takeDatabase(database.url, usurped)
  expect(next).not.toBeNull()
  await next?.release()
  await database.drop()
})
