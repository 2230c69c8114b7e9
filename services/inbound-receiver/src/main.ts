/** The inbound receiver as a process of its own. */
import { openVerifier } from '@posthorn/boot/inbound'
import { publicUrlOf } from '@posthorn/boot/public-url'
import { runService } from '@posthorn/boot/run-service'
import { openSandbox } from '@posthorn/boot/sandbox'
import { openUsage } from '@posthorn/boot/usage'
import { createInboundReceiver } from './app.ts'

await runService('inbound-receiver', process.env, (clients) => {
  const { settings } = clients
  const { usage, usagePart } = openUsage(clients)
  const sandbox = openSandbox(clients)
  const verifier = openVerifier(settings)
  const { router, service } = createInboundReceiver(
    {
      publicUrl: publicUrlOf(settings),
      maxBodyBytes: settings.MAX_INBOUND_BYTES,
      defaultPlan: settings.DEFAULT_PLAN,
    },
    { ...clients, sandbox, verifier, usage, now: Date.now },
  )
  return {
    service,
    routers: [router],
    parts: [
      usagePart,
      { name: 'sandbox', stop: () => sandbox.close() },
      { name: 'verifier', stop: () => verifier.close() },
    ],
  }
})
