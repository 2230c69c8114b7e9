/**
 * Runs the owner of a test run's stores as a process of its own: it prints its address, and ends
 * with its standard input.
 */
import { startStoresService } from './stores-service.ts'

const service = await startStoresService()
process.stdout.write(`${service.url}\n`)
// A signal from the terminal reaches this process too, but tests that are still ending need their
// stores.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
process.stdin.resume()
process.stdin.once('end', async () => {
  await service.stop()
  process.exit()
})
