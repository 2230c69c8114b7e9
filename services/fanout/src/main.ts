/** Fan-out as a process of its own: writes the deliveries of events by type. */
import { runService } from '@posthorn/boot/run-service'
import { createFanout } from './app.ts'

await runService('fanout', process.env, (clients) => ({
  service: createFanout(clients),
  routers: [],
}))
