/**
 * The owner of a test run's shared products as a process of its own: prints its address, ends with
 * its standard input.
 */
import { startProductsService } from './products-service.ts'

const service = await startProductsService()
process.stdout.write(`${service.url}\n`)
// A signal from the terminal reaches this process too, but the tests that still end need their
// products.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
process.stdin.resume()
process.stdin.once('end', async () => {
  await service.stop()
  process.exit()
})
