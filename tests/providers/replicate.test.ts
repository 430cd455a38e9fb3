// @engine sqlite
/** Replicate: its own client against the strict server; uploads, downloads and polls beside a call. */
import { afterAll, expect, test } from 'bun:test'
import Replicate from 'replicate'
import { skipTime } from '../../src/process/clock.ts'
import type { SideResponse } from '../../src/providers/kit/steps.ts'
import { endOf, uploadFiles } from '../../src/providers/replicate/jobs.ts'
import { app } from '../support/app/app.ts'
import { logsOf } from '../support/app/logs.ts'
import { setOption } from '../support/app/options.ts'
import { type Client, client } from '../support/people/client.ts'
import { setUp } from '../support/people/person.ts'
import { until } from '../support/until.ts'
import { makeChannel } from '../support/upstream/channel.ts'
import { listen, type Received, type ScriptedAnswer } from '../support/upstream/http-server.ts'
import { strictProvider, withUpstream } from '../support/upstream/strict-provider.ts'
import wholeCall from './fixtures/replicate/chat.json'
import streamedCall from './fixtures/replicate/chat-streamed.json'
import imageCall from './fixtures/replicate/images.json'
import { server } from './fixtures/replicate/server.ts'

const LLAMA = 'meta/meta-llama-3-8b-instruct'
const FLUX = 'black-forest-labs/flux-1.1-pro'
const root = await setUp()
await setOption('ModelPrice', JSON.stringify({ [FLUX]: 0.002, 'black-forest-labs/flux-kontext-pro': 0.002 }))
await setOption('ModelRatio', JSON.stringify({ [LLAMA]: 1 }))

const strict = await strictProvider(server)
/** The client sends no key to streams; the strict server takes them for its own. */
const fetchWithKey = (url: string | URL | Request, init?: RequestInit) => {
  const headers = new Headers(init?.headers)
  headers.set('authorization', 'Bearer r8_key')
  return fetch(url, { ...init, headers })
}
const own = new Replicate({
  auth: 'r8_key',
  baseUrl: `${strict.url}/v1`,
  useFileOutput: false,
  fetch: fetchWithKey as typeof fetch,
})

test('the vendor’s client runs models at the strict server', async () => {
  strict.expects(server.channel, wholeCall.answers)
  expect(await own.run(LLAMA, { input: { prompt: 'Say hello' } })).toEqual(['Hello ', 'there!'])
  strict.expects(server.channel, imageCall.answers)
  expect(await own.run(FLUX, { input: { prompt: 'A cat' } })).toBe('https://replicate.delivery/a.webp' as never)
  expect(strict.violations()).toEqual([])
})

test('the vendor’s client reads streams of the strict server', async () => {
  strict.expects(server.channel, streamedCall.answers, {}, streamedCall.beside)
  const texts: string[] = []
  for await (const event of own.stream(LLAMA, { input: { prompt: 'Say hello' }, stream: true } as never))
    texts.push(event.toString())
  expect(texts.join('')).toBe('Hello\n there!')
  expect(strict.violations()).toEqual([])
})

type Answering = (received: Received, answer: ScriptedAnswer) => unknown

/** A channel of its own, and a caller. */
async function upstreamOf(model: string, answering: Answering) {
  const received: Received[] = []
  const upstream = await listen(async (request, answer) => {
    received.push(request)
    await answering(request, answer)
  })
  const url = `http://127.0.0.1:${upstream.port}`
  const { id } = await makeChannel(root, { type: 56, models: model, base_url: url })
  afterAll(() => upstream.stop())
  return { id, received, url, close: () => root.delete(`/api/channel/${id}`), ann: await client() }
}

test('a large picture is uploaded before the call, and a small one stays in it', async () => {
  const model = 'black-forest-labs/flux-kontext-pro'
  const { received, ann } = await upstreamOf(model, ({ target }, answer) =>
    target === '/v1/files'
      ? answer.json({ id: 'f1', urls: { get: 'https://api.replicate.com/v1/files/f1' } }, 201)
      : answer.json({ id: 'p1', status: 'succeeded', output: 'https://replicate.delivery/a.webp' }, 201),
  )
  const edited = async (bytes: number) => {
    const form = new FormData()
    form.set('model', model)
    form.set('prompt', 'A hat')
    form.set('image', new File([new Uint8Array(bytes)], 'a.png', { type: 'image/png' }))
    const headers = { authorization: `Bearer sk-${ann.key}` }
    const response = await fetch(`${ann.url}/v1/images/edits`, { method: 'POST', headers, body: form })
    expect(response.status).toBe(200)
    return JSON.parse(received.at(-1)!.body).input.input_image
  }
  expect(await edited(262_146)).toBe('https://api.replicate.com/v1/files/f1')
  expect(received.map(({ target }) => target)).toEqual(['/v1/files', `/v1/models/${model}/predictions`])
  expect(received[0]!.headers.authorization).toStartWith('Bearer ')
  expect(received[0]!.body).toContain('name="content"; filename="file.png"')
  expect(await edited(1000)).toStartWith('data:image/png;base64,')
  expect(received).toHaveLength(3)
})

test('a picture at an address of the own network is not fetched', async () => {
  let fetched = 0
  const other = await listen((_, answer) => {
    fetched++
    return answer.json({})
  })
  const output = `http://127.0.0.1:${other.port}/secret.webp`
  const { close, ann } = await upstreamOf(FLUX, (_, answer) => answer.json({ id: 'p1', status: 'succeeded', output }))
  const response = await post(ann, '/v1/images/generations', { model: FLUX, prompt: 'A', response_format: 'b64_json' })
  expect(response.status).toBeGreaterThanOrEqual(400)
  expect(fetched).toBe(0)
  await close()
  await other.stop()
})

const post = ({ url, key }: { url: string; key: string }, path: string, body: object, signal?: AbortSignal) =>
  fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  })

const hi = { model: LLAMA, messages: [{ role: 'user', content: 'Hi' }] }
const entryOf = (ann: Client) => until(async () => (await logsOf(ann.person))[0])

/** A job that is polled twice, and whose caller leaves then. @param last what the polls after that are answered */
async function leftJob(last: object) {
  let polls = 0
  const { promise: polled, resolve } = Promise.withResolvers<void>()
  const left = Promise.withResolvers<void>()
  const { close, ann } = await upstreamOf(LLAMA, async ({ method }, answer) => {
    if (method === 'GET' && ++polls === 2) {
      resolve()
      await left.promise
    }
    return answer.json(polls > 2 ? last : { id: 'p1', status: 'processing' }, 202)
  })
  const leaving = new AbortController()
  const asking = post(ann, '/v1/chat/completions', { ...hi, max_tokens: 2000 }, leaving.signal).catch(() => undefined)
  await polled
  leaving.abort()
  await asking
  await until(() => app.server!.pendingRequests === 0)
  left.resolve()
  return { ann, close, polls: () => polls }
}

test('a channel whose job has begun passes its test', async () => {
  const { id, close } = await upstreamOf(LLAMA, (_, answer) => answer.json({ id: 'p1', status: 'processing' }, 202))
  expect(await root.get(`/api/channel/test/${id}`)).toMatchObject({ success: true })
  await close()
})

test('a job whose caller leaves is asked for until its end, and billed by its report', async () => {
  const metrics = { input_token_count: 700, output_token_count: 300 }
  const { ann, close } = await leftJob({ id: 'p1', status: 'succeeded', output: ['Hello'], metrics })
  expect(await entryOf(ann)).toMatchObject({ prompt_tokens: 700, completion_tokens: 300, other: { partial: true } })
  await close()
})

test('a job that does not end in a minute after its caller has left is billed by the time, and asked for no more', async () => {
  const { ann, close, polls } = await leftJob({ id: 'p1', status: 'processing' })
  skipTime(60)
  const { completion_tokens } = await entryOf(ann)
  // 20 tokens a second.
  expect(completion_tokens).toBeWithin(1200, 2001)
  const after_bill = polls()
  // Polls are 3 s apart at most.
  await Bun.sleep(3500)
  expect(polls()).toBe(after_bill)
  await close()
})

test('the upstream’s stream is read to its end when the caller leaves, and closed', async () => {
  const left = Promise.withResolvers<void>()
  const { close, url, ann } = await upstreamOf(LLAMA, async ({ method }, answer) => {
    if (method === 'POST')
      return answer.json(withUpstream({ id: 'p', urls: { stream: '{upstream}/stream/p' } }, url), 201)
    await answer.head(200, { 'content-type': 'text/event-stream' }, 'chunked')
    await answer.write('event: output\ndata: Hello\n\n')
    await left.promise
    await answer.write(`event: output\ndata: ${'and goodbye '.repeat(100)}\n\n`)
    await answer.write('event: done\ndata: {}\n\n')
    await answer.end()
  })
  const leaving = new AbortController()
  const response = await post(ann, '/v1/chat/completions', { ...hi, stream: true }, leaving.signal)
  await response.body!.getReader().read()
  leaving.abort()
  await until(() => app.server!.pendingRequests === 0)
  left.resolve()
  const { completion_tokens, other } = await entryOf(ann)
  expect(completion_tokens).toBeGreaterThan(200)
  expect(other).toMatchObject({ stream_status: 'abandoned' })
  await close()
})

const answered = (status: number, body: unknown): SideResponse => ({ status, body, bytes: new Uint8Array(), type: '' })

test('a job is asked for at the channel’s own address, at growing intervals, and given up when nothing comes', () => {
  const steps = endOf({ id: 'a/b', status: 'starting', urls: { get: 'https://evil.example/' } }, 'https://r.example/v1')
  const first = steps.next()
  expect(first.value).toEqual({ url: 'https://r.example/v1/predictions/a%2Fb', wait_ms: 500 })
  const second = steps.next(answered(200, { status: 'processing' }))
  expect(second.value).toMatchObject({ wait_ms: 750 })
  steps.next(answered(502, '<html>'))
  steps.next(answered(200, null))
  const last = steps.next(answered(500, {}))
  expect(last).toMatchObject({ done: true, value: { status: 'failed' } })
})

test('a file that is not taken stays in the request', () => {
  const image = `data:image/png;base64,${'A'.repeat(400_000)}`
  const steps = uploadFiles(
    { input: { prompt: 'A', images: [image, 'https://a.example/b.png'] } },
    'https://r.example/v1',
  )
  expect(steps.next().value).toMatchObject({ url: 'https://r.example/v1/files' })
  const last = steps.next(answered(413, { detail: 'too large' }))
  expect(last).toEqual({ done: true, value: { input: { prompt: 'A', images: [image, 'https://a.example/b.png'] } } })
})
