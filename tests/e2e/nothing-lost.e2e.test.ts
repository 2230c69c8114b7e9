/**
 * The whole is killed three times while events come, and none is lost. The same for the services of
 * a cluster is in `rolling-restart.e2e.test.ts`.
 */
import { afterAll, beforeAll, test } from '@jest/globals'
import { type Receiver, startReceiver } from '@posthorn/testing/receiver'
import { expectNothingLost } from './expect-nothing-lost.ts'
import { type Posthorn, startPosthorn } from './posthorn.ts'

let posthorn: Posthorn
let receiver: Receiver

beforeAll(async () => {
  receiver = await startReceiver()
  posthorn = await startPosthorn('standalone')
}, 150_000)

afterAll(async () => {
  await posthorn.stop()
  await receiver.close()
}, 60_000)

test('every event answered 201 arrives, whatever is killed', async () => {
  await expectNothingLost(posthorn, receiver, [undefined, undefined, undefined])
}, 240_000)
