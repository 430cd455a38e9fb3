// @engine sqlite
/** Client headers that reach an upstream, and those that do not. */
import { expect, test } from 'bun:test'
import { HOP_HEADER } from '../../../src/contracts/relay.ts'
import { client } from '../../support/people/client.ts'
import { errorOf } from '../../support/people/responses.ts'
import { chat } from '../../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

const upstream = await startUpstream(chat())
await channelTo(upstream)

/** What the call needs, what `fetch` adds, and our mark against loops. */
const ours = [
  'accept',
  'accept-encoding',
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'host',
  'user-agent',
  HOP_HEADER,
]

const kept: Record<string, string> = {
  connection: 'authorization, x-secret',
  'x-secret': 'mine',
  cookie: 'session=mine',
  'proxy-authorization': 'Basic bWluZQ==',
  'keep-alive': 'timeout=1',
  te: 'trailers',
  trailer: 'x-secret',
  upgrade: 'h2c',
  via: '1.1 mine',
  forwarded: 'for=10.1.1.1',
  'x-forwarded-for': '10.1.1.1',
  'x-forwarded-host': 'elsewhere.example',
  'x-forwarded-proto': 'https',
  'x-real-ip': '10.1.1.1',
  'x-original-host': 'elsewhere.example',
  'x-stainless-host': 'elsewhere.example',
  'x-portkey-custom-host': 'http://elsewhere.example',
  referer: 'http://mine.example/',
  origin: 'http://mine.example',
  'openai-organization': 'org-mine',
}

test.each([false, true])('no other client header reaches the upstream, streamed: %p', async stream => {
  const ann = await client()
  for (const [name, value] of Object.entries(kept)) {
    const answer = await ann.chat({ stream }, { headers: { [name]: value } })
    await answer.text()
    expect(answer.status).toBe(200)
  }
  expect(upstream.journal.length).toBeGreaterThan(0)
  for (const { headers, key } of upstream.journal) {
    expect(key).toBe('sk-upstream')
    expect(headers['accept-encoding']).toBe('identity')
    expect(JSON.stringify(headers)).not.toMatch(/mine|elsewhere|10\.1\.1\.1|h2c|trailers/)
    expect(Object.keys(headers).filter(name => !ours.includes(name))).toEqual([])
  }
})

test('a call with our own hop mark is refused after any number of gateways', async () => {
  const ann = await client()
  const come = (hops: string) => ann.chat({}, { headers: { [HOP_HEADER]: hops } })
  const passed = () => upstream.journal.at(-1)!.headers[HOP_HEADER]!
  expect((await come('elsewhere')).status).toBe(200)
  expect(passed()).toStartWith('elsewhere,')
  const [, ours] = passed().split(',')
  for (const hops of [ours!, passed(), `${ours},farther`])
    expect(await errorOf(await come(hops))).toMatchObject({ status: 508, code: 'loop' })
})
