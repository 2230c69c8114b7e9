/**
 * A receiver for the profile `dev` of docker-compose.yml: prints each request on one line, and
 * answers with the status of `?status=`, 200 without it.
 */
import { createServer } from 'node:http'

const MAX_BYTES = 1024 * 1024

createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (text) => {
    if (body.length < MAX_BYTES) body += text
  })
  request.on('end', () => {
    const { method, url = '/', headers } = request
    process.stdout.write(`${JSON.stringify({ method, url, headers, body })}\n`)
    const asked = Number(new URL(url, 'http://receiver').searchParams.get('status') ?? 200)
    response.writeHead(asked >= 200 && asked <= 599 ? asked : 200).end()
  })
}).listen(8080)
