// @engine sqlite
// @waits
/** Shutdown with running streams: they finish, or end with an error and a bill at the deadline. */
import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { newFolder, program, run, type Server, startServer } from '../support/app/server.ts'
import { makeSite } from '../support/app/site.ts'
import { gate, hangsAfter } from '../support/upstream/chat-scripts.ts'
import { fakeUpstream } from '../support/upstream/openai.ts'
import { Park, parkedStream } from '../support/upstream/parked.ts'

const model = 'gpt-4o-mini'

const upstream = await fakeUpstream()
const servers: Server[] = []
afterAll(async () => {
  upstream.stop()
  for (const server of servers) server.process.kill('SIGKILL')
})

/** A stream that has begun: its first bytes are there. */
async function beginStream(script: Parameters<typeof upstream.says>[1]) {
  upstream.says(model, script)
  const server = await startServer({ folder: newFolder() })
  servers.push(server)
  const key = await makeSite(server.url, upstream, model)
  const response = await fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}` },
    body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'Count' }] }),
  })
  const reader = response.body!.getReader()
  const first = new TextDecoder().decode((await reader.read()).value)
  return { server, reader, first }
}

async function rest(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) text += decoder.decode(piece.value)
  return text
}

/** Whether it takes newcomers. */
const answers = ({ url }: Server) =>
  fetch(`${url}/healthz`, { keepalive: false }).then(
    () => true,
    () => false,
  )

/** Whether they are true, and what was charged. */
async function books({ folder }: Server) {
  const { code } = await run(['audit'], { folder })
  const database = new Database(join(folder, 'tollgate.db'), { readonly: true })
  const [usage] = database.query<{ calls: number; quota: number }, []>('select calls, quota from usage_hourly').all()
  database.close()
  return { code, ...usage }
}

test('SIGTERM lets a stream finish, refuses new calls and exits with 0 and a clean audit', async () => {
  const held = gate()
  const { server, reader } = await beginStream(held.script)
  const stopped = server.stop('SIGTERM')
  while (await answers(server)) await Bun.sleep(20)
  held.open()
  expect(await rest(reader)).toEndWith('data: [DONE]\n\n')
  expect(await stopped).toBe(0)
  expect(await books(server)).toMatchObject({ code: 0, calls: 1 })
})

test('SIGTERM waits for the report of a stream whose client has left', async () => {
  const park = new Park()
  const begun = 'data: {"id":"x","choices":[{"index":0,"delta":{"content":"Hello"}}]}\n\n'
  const report = 'data: {"id":"x","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":10000}}\n\n'
  const script = parkedStream([begun], [report, 'data: [DONE]\n\n'], park)
  const { server, reader } = await beginStream((_, answer) => script(answer))
  await reader.cancel()
  const stopped = server.stop('SIGTERM')
  while (await answers(server)) await Bun.sleep(20)
  park.release()
  expect(await stopped).toBe(0)
  const { code, calls, quota } = await books(server)
  expect([code, calls]).toEqual([0, 1])
  // At 0.3 a token.
  expect(quota).toBeGreaterThanOrEqual(3000)
})

test('SIGTERM ends a long stream at the deadline with an error and a bill', async () => {
  const { server, reader } = await beginStream(hangsAfter(5))
  const stopped = server.stop('SIGTERM')
  const told = await rest(reader)
  expect(told).toContain('"error"')
  expect(told).not.toContain('[DONE]')
  expect(await stopped).toBe(0)
  const { code, calls, quota } = await books(server)
  expect([code, calls]).toEqual([0, 1])
  expect(quota).toBeGreaterThan(0)
})

test('SIGTERM and SIGHUP are ignored while a stream finishes after SIGTERM', async () => {
  const held = gate()
  const { server, reader } = await beginStream(held.script)
  server.process.kill('SIGTERM')
  while (await answers(server)) await Bun.sleep(20)
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGTERM'] as const) server.process.kill(signal)
  held.open()
  expect(await rest(reader)).toEndWith('data: [DONE]\n\n')
  expect(await server.process.exited).toBe(0)
  expect(await books(server)).toMatchObject({ code: 0, calls: 1 })
})

test('SIGINT again, seconds later, ends a stream with an error and a bill and exits with 1', async () => {
  const { server, reader } = await beginStream(hangsAfter(5))
  const told = rest(reader)
  const since = performance.now()
  while (server.process.exitCode === null) {
    server.process.kill('SIGINT')
    await Bun.sleep(20)
  }
  expect(server.process.exitCode).toBe(1)
  expect(performance.now() - since).toBeGreaterThanOrEqual(2000)
  expect(await told).toContain('"error"')
  const { code, calls, quota } = await books(server)
  expect([code, calls]).toEqual([0, 1])
  expect(quota).toBeGreaterThan(0)
})

test('a closed terminal stops the server as SIGTERM does, except under nohup', async () => {
  const closed = await startServer({ folder: newFolder() })
  expect(await closed.stop('SIGHUP')).toBe(0)
  const kept = await startServer({ folder: newFolder(), command: ['nohup', ...program] })
  servers.push(kept)
  kept.process.kill('SIGHUP')
  expect(await answers(kept)).toBe(true)
  expect(await kept.stop('SIGTERM')).toBe(0)
})
