/** The inbound receiver as a process of its own. */
import { openVerifier } from '@posthorn/boot/inbound'
import { publicUrlOf } from '@posthorn/boot/public-url'
import { runService } from '@posthorn/boot/run-service'
import { openSandbox } from '@posthorn/boot/sandbox'
import { createInboundReceiver } from './app.ts'

await runService('inbound-receiver', process.env, (clients) => {
  const { settings } = clients
  const sandbox = openSandbox(clients)
  const verifier = openVerifier(settings)
  const { router, service } = createInboundReceiver(
    { publicUrl: publicUrlOf(settings), maxBodyBytes: settings.MAX_INBOUND_BYTES },
    { ...clients, sandbox, verifier, now: Date.now },
  )
  return {
    service,
    routers: [router],
    parts: [
      { name: 'sandbox', stop: () => sandbox.close() },
      { name: 'verifier', stop: () => verifier.close() },
    ],
  }
})
