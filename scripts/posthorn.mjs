#!/usr/bin/env node
/**
 * `posthorn <service>`, `posthorn standalone`, `posthorn migrate [--plan]`: the one entry of an
 * image, and of a checkout. Started with the flags of heap.mjs, as the image does, it goes on in
 * this process; otherwise it starts a Node 24 with them, after installing what is missing.
 */
import { HEAP_FLAGS } from './heap.mjs'

if (HEAP_FLAGS.every((flag) => process.execArgv.includes(flag))) {
  await import('./posthorn/main.ts')
} else {
  const { handOver, prepare } = await import('./prepare.mjs')
  handOver(prepare(), 'scripts/posthorn.mjs', process.argv.slice(2), HEAP_FLAGS)
}
