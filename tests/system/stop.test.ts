// @engine sqlite
// @waits
/** Shutdown with running streams: they finish, or end with an error and a bill at the deadline. */
import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { ClientFormatName } from '../../src/formats/canonical/chat.ts'
import { formats } from '../../src/formats/index.ts'
import { newFolder, program, run, type Server, startServer } from '../support/app/server.ts'
import { makeSite } from '../support/app/site.ts'
import { violations } from '../support/grammar/index.ts'
import { textArrives } from '../support/people/responses.ts'
import { gate, hangsAfter } from '../support/upstream/chat-scripts.ts'
import { fakeUpstream } from '../support/upstream/openai.ts'
import { Pause, pausedStream } from '../support/upstream/paused-upstream.ts'

const model = 'gpt-4o-mini'

const upstream = await fakeUpstream()
const servers: Server[] = []
afterAll(async () => {
  upstream.stop()
  for (const server of servers) server.process.kill('SIGKILL')
})

/** A stream that has begun: its first bytes are there. */
async function beginStream(script: Parameters<typeof upstream.scripts>[1]) {
  upstream.scripts(model, script)
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

/** Whether it accepts new connections. */
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
  const pause = new Pause()
  const begun = 'data: {"id":"x","choices":[{"index":0,"delta":{"content":"Hello"}}]}\n\n'
  const report = 'data: {"id":"x","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":10000}}\n\n'
  const script = pausedStream([begun], [report, 'data: [DONE]\n\n'], pause)
  const { server, reader } = await beginStream((_, answer) => script(answer))
  await reader.cancel()
  const stopped = server.stop('SIGTERM')
  while (await answers(server)) await Bun.sleep(20)
  pause.release()
  expect(await stopped).toBe(0)
  const { code, calls, quota } = await books(server)
  expect([code, calls]).toEqual([0, 1])
  // At 0.3 a token.
  expect(quota).toBeGreaterThanOrEqual(3000)
})

/** Xinference has chats alone: the other formats are translated. */
const CHAT_ONLY = 47
const messages = [{ role: 'user', content: 'Count' }]
const streams: Record<ClientFormatName, [path: string, body: object]> = {
  'openai-chat': ['/v1/chat/completions', { model, stream: true, messages }],
  'openai-responses': ['/v1/responses', { model, stream: true, input: 'Count' }],
  anthropic: ['/v1/messages', { model, stream: true, max_tokens: 99, messages }],
  gemini: [`/v1beta/models/${model}:streamGenerateContent?alt=sse`, { contents: [{ parts: [{ text: 'Count' }] }] }],
}

test('SIGTERM ends long streams at the deadline with a failure of the client’s format and a bill', async () => {
  upstream.scripts(model, hangsAfter(5))
  const server = await startServer({ folder: newFolder() })
  servers.push(server)
  const key = await makeSite(server.url, upstream, model, { type: CHAT_ONLY })
  const running = await Promise.all(
    formats.map(async format => {
      const [path, body] = streams[format]
      const headers = { authorization: `Bearer sk-${key}` }
      const response = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
      await textArrives(response, 'three')
      return { format, told: response.text() }
    }),
  )
  const stopped = server.stop('SIGTERM')
  for (const { format, told } of running) {
    const text = await told
    expect([format, violations(format, text)]).toEqual([format, []])
    expect([format, text.includes('restarting')]).toEqual([format, true])
  }
  expect(await stopped).toBe(0)
  const { code, calls, quota } = await books(server)
  expect([code, calls]).toEqual([0, formats.length])
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
