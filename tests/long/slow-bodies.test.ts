// @engine sqlite
/**
 * Random bodies made to be slow, large or both: the loop of the process never waits for long, its memory stays bounded,
 * and nothing is answered with 500. `BODIES` sets their number, `SEED` repeats a run.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { residentMb } from '../support/app/resident-memory.ts'
import { type Server, startServer } from '../support/app/server.ts'
import { makeSite } from '../support/app/site.ts'
import { hostileBody } from '../support/people/hostile-bodies.ts'
import { uncheckedUpstream } from '../support/upstream/unchecked-upstream.ts'

const BODIES = Number(process.env.BODIES ?? 10_000)
const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
const AT_ONCE = 3
/** Garbage included, of a process that starts with up to 200. */
const MEMORY_MB = 700
/** About 150 on a quiet machine. Processors differ, all threads of the process count, and a busy machine takes longer. */
const WORK_MS = 1000

let server: Server
const upstream = uncheckedUpstream()
let key: string
beforeAll(async () => {
  server = await startServer({ env: { BODY_BUDGET_MB: '64', LOG_LEVEL: 'error' } })
  key = await makeSite(server.url, upstream, 'gpt-4o')
})
afterAll(async () => {
  await server.stop('SIGKILL')
  upstream.stop()
})

/**
 * Asks for the health of the process again and again, from a thread of its own.
 * @returns the longest wait so far: in milliseconds, and in those in which the process itself was at work
 */
function watchHealth({ url, process: { pid } }: Server) {
  const code = `const { readFileSync } = require('node:fs')
    const work = () => { const fields = readFileSync('/proc/${pid}/stat', 'utf8').split(') ')[1].split(' ')
      return (Number(fields[11]) + Number(fields[12])) * 10 }
    let [wall, worked] = [0, 0]; let on = true
    onmessage = () => { on = false; postMessage([wall, worked]) }
    while (on) { const [from, before] = [performance.now(), work()]; await (await fetch('${url}/healthz')).text()
      const waited = performance.now() - from
      wall = Math.max(wall, waited); worked = Math.max(worked, Math.min(waited, work() - before)); await Bun.sleep(25) }`
  const worker = new Worker(URL.createObjectURL(new Blob([code], { type: 'application/javascript' })))
  return async () => {
    const { promise, resolve } = Promise.withResolvers<[number, number]>()
    worker.onmessage = ({ data }) => resolve(data)
    worker.postMessage('end')
    const worst = await promise
    worker.terminate()
    return worst
  }
}

test('slow bodies hold up no other call', async () => {
  process.stdout.write(`seed ${SEED}\n`)
  const bodies = fc.sample(hostileBody, { numRuns: BODIES, seed: SEED })
  const statuses: Record<number, number> = {}
  let memory = 0
  const worst = watchHealth(server)
  const queue = bodies[Symbol.iterator]()
  const call = async () => {
    for (const body of queue) {
      const { path, headers, bytes } = body.make()
      const init = { method: 'POST', headers: { authorization: `Bearer sk-${key}`, ...headers }, body: bytes }
      const response = await fetch(server.url + path, init)
      const text = await response.text()
      statuses[response.status] = (statuses[response.status] ?? 0) + 1
      if (response.status === 500) throw new Error(`500 for ${body.title}: ${text.slice(0, 200)}`)
      memory = Math.max(memory, residentMb(server.process.pid))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, call))
  const [waited, worked] = await worst()
  process.stdout.write(
    `${JSON.stringify(statuses)} waited ${waited.toFixed()} ms, ${worked.toFixed()} of them work, ${memory.toFixed()} MB\n`,
  )
  expect(server.output().includes('bug')).toBe(false)
  expect(memory).toBeLessThan(MEMORY_MB)
  expect(worked).toBeGreaterThan(0)
  expect(worked).toBeLessThan(WORK_MS)
}, 1_200_000)
