/** Streams that fail: an upstream's own frames pass where it has the client's format, others fail as that format does. */
import { beforeEach, describe, expect, test } from 'bun:test'
import type { ClientFormatName } from '../../../src/formats/canonical/chat.ts'
import { formats } from '../../../src/formats/index.ts'
import { beginning, wires } from '../../formats/wire/index.ts'
import { type Json, named, unnamed } from '../../formats/wire/sse.ts'
import { logsOf } from '../../support/app/logs.ts'
import { setOption } from '../../support/app/options.ts'
import { violations } from '../../support/grammar/index.ts'
import { type Client, client, MODEL, RICH } from '../../support/people/client.ts'
import { speakers } from '../../support/people/sdk-clients.ts'
import { until } from '../../support/until.ts'
import { deleteChannels } from '../../support/upstream/served-channel.ts'
import { callIn, channelFor, serverOf } from '../../support/upstream/translation.ts'

await setOption('RetryTimes', 3)
await setOption('ModelRatio', JSON.stringify({ [MODEL]: 1.25, 'codex-mini': 1 }))

let ann: Client
beforeEach(async () => {
  await setOption('global.hide_upstream_error_enabled', false)
  await deleteChannels()
  ann = await client()
})

const sse = { 'content-type': 'text/event-stream' }

/** The upstream sends this, piece by piece. */
const sends = (upstream: ClientFormatName, ...pieces: string[]) =>
  serverOf(upstream).scripts(async answer => {
    await answer.head(200, sse, 'chunked')
    for (const piece of pieces) await answer.write(piece)
    await answer.end()
  })

const stream = async (format: ClientFormatName) => (await callIn(format, ann, { stream: true })).text()

const failed = (code: string, sequence_number: number, message = 'Not now') => [
  {
    type: 'error',
    sequence_number,
    code,
    message,
    param: null,
    error: { type: 'server_error', code, message, param: null },
  },
  {
    type: 'response.failed',
    sequence_number: sequence_number + 1,
    response: { id: 'resp_1', object: 'response', status: 'failed', error: { code, message }, output: [] },
  },
]

/** The same failure in the words of each maker. */
const failures: Record<ClientFormatName, string> = {
  'openai-chat': unnamed([{ error: { message: 'Not now', type: 'server_error', param: null, code: null } }]),
  'openai-responses': named(failed('server_error', 5)),
  anthropic: named([{ type: 'error', error: { type: 'overloaded_error', message: 'Not now' }, request_id: 'req_1' }]),
  gemini: unnamed([{ error: { code: 503, message: 'Not now', status: 'UNAVAILABLE', details: [{ reason: 'LOAD' }] } }]),
}

const lastData = (text: string): Json =>
  JSON.parse(
    text
      .trimEnd()
      .split('\n')
      .findLast(line => line.startsWith('data: '))!
      .slice('data: '.length),
  )

const lastEntry = () => until(async () => (await logsOf(ann.person))[0])

describe.each([...formats])('upstream %s', upstream => {
  test.each([...formats])(
    'client %s: a failure after content passes or is translated, and what came is billed',
    async caller => {
      await channelFor(upstream)
      sends(upstream, beginning(upstream), failures[upstream])
      const text = await stream(caller)
      if (caller === upstream) expect(text).toBe(beginning(upstream) + failures[upstream])
      else expect(violations(caller, text)).toEqual([])
      expect(text).toContain('Four')
      expect(text).toContain('Not now')
      expect((await lastEntry()).other).toMatchObject({ partial: true, stream_status: 'broken' })
    },
  )

  test.each([...formats])(
    'client %s: a stream that breaks off ends with a failure of the client’s format',
    async caller => {
      await channelFor(upstream)
      sends(upstream, beginning(upstream))
      const text = await stream(caller)
      expect(text).toContain('Four')
      expect(violations(caller, text)).toEqual([])
      if (caller !== 'openai-responses') return
      expect(lastData(text)).toMatchObject({
        type: 'response.failed',
        response: {
          status: 'failed',
          error: { code: 'server_error', message: expect.stringContaining('closed the connection') },
        },
      })
    },
  )
})

test.each([...formats])('the SDK of %s raises what it is sent, natively and across', async caller => {
  const { [caller]: speaker } = speakers
  for (const upstream of formats) {
    await deleteChannels()
    await channelFor(upstream)
    sends(upstream, beginning(upstream), failures[upstream])
    const body = { ...wires[caller].requests.text, model: MODEL }
    await expect(speaker(ann).streamed(body)).rejects.toThrow('Not now')
  }
})

const begun = wires['openai-responses'].streams.text.split(/(?<=\n\n)/).slice(0, 2)

describe('failures of Responses', () => {
  const overflow = named(failed('context_length_exceeded', 2, 'Your input exceeds the context window'))

  test.each([
    ['in one piece', [begun.join('') + overflow]],
    ['in many pieces', [...begun, ...overflow.split(/(?<=\n\n)/)]],
  ])('a context that is full before any output reaches the client as it is, %s', async (_, pieces) => {
    await channelFor('openai-responses')
    await channelFor('openai-responses')
    sends('openai-responses', ...pieces)
    const before = serverOf('openai-responses').asked.length
    expect(await stream('openai-responses')).toBe(pieces.join(''))
    expect(serverOf('openai-responses').asked).toHaveLength(before + 1)
  })

  test('a context that is full for an upstream without Responses fails in the stream, and by its status otherwise', async () => {
    await channelFor('openai-chat')
    const error = { message: 'Too long', type: 'invalid_request_error', param: null, code: 'context_length_exceeded' }
    serverOf('openai-chat').scripts(answer => answer.json({ error }, 400))
    const text = await stream('openai-responses')
    expect(violations('openai-responses', text)).toEqual([])
    expect(lastData(text)).toMatchObject({ response: { error: { code: 'context_length_exceeded' } } })
    expect((await callIn('openai-responses', ann)).status).toBe(400)
    expect((await callIn('openai-chat', ann, { stream: true })).status).toBe(400)
    expect(await ann.balance()).toBe(RICH)
  })

  test('a failure before any output that another channel may not have goes there', async () => {
    await channelFor('openai-responses', { priority: 9 })
    await channelFor('anthropic')
    sends('openai-responses', begun.join('') + named(failed('server_error', 2)))
    serverOf('anthropic').plays('text')
    const text = await stream('openai-responses')
    expect(violations('openai-responses', text)).toEqual([])
    expect(lastData(text)).toMatchObject({ type: 'response.completed' })
  })

  test('an error alone is completed by a failed response with the output so far', async () => {
    await channelFor('openai-responses')
    const events = wires['openai-responses'].streams.text.split(/(?<=\n\n)/)
    const content = events.slice(0, events.findIndex(event => event.includes('response.output_item.done')) + 1)
    const [error] = named(failed('server_error', content.length)).split(/(?<=\n\n)/)
    sends('openai-responses', ...content, error!)
    const text = await stream('openai-responses')
    expect(violations('openai-responses', text)).toEqual([])
    expect(lastData(text)).toMatchObject({
      response: { error: { code: 'server_error' }, output: [{ content: [{ text: 'Four 四.' }] }] },
    })
  })

  test('a balance that is used up ends the stream with the code of no quota', async () => {
    await channelFor('anthropic')
    const text = 'so many words '.repeat(2000)
    const delta = named([{ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }])
    for (const caller of formats) {
      ann = await client({}, 9000)
      sends('anthropic', beginning('anthropic'), ...Array.from({ length: 9 }, () => delta))
      const told = await stream(caller)
      expect({ caller, violations: violations(caller, told) }).toEqual({ caller, violations: [] })
      expect({ caller, other: (await lastEntry()).other }).toMatchObject({
        caller,
        other: { stream_status: 'exhausted' },
      })
      if (caller === 'openai-responses')
        expect(lastData(told)).toMatchObject({ response: { error: { code: 'insufficient_quota' } } })
    }
  })
})

describe('a response that fails before any output', () => {
  test.each([
    ...['cyber_policy', 'bio_policy', 'misalignment_policy_violation', 'invalid_prompt'],
    ...['empty_image_file', 'image_parse_error', 'unsupported_image_media_type'],
  ])('because of the prompt, with %s, is asked for once and passes as it is', async code => {
    await channelFor('openai-responses')
    await channelFor('openai-responses')
    const failure = begun.join('') + named(failed(code, 2, 'Flagged'))
    sends('openai-responses', failure)
    const before = serverOf('openai-responses').asked.length
    expect(await stream('openai-responses')).toBe(failure)
    expect(serverOf('openai-responses').asked).toHaveLength(before + 1)
    const across = await callIn('anthropic', ann, { stream: true })
    expect([across.status, across.headers.get('x-should-retry')]).toEqual([400, 'false'])
  })

  test.each([
    ['usage_not_included', 502, 'false'],
    ['slow_down', 503, null],
  ])('because of the account, with %s, has the status %d', async (code, status, should_retry) => {
    await channelFor('openai-responses')
    sends('openai-responses', begun.join('') + named(failed(code, 2)))
    const refused = await callIn('openai-responses', ann, { stream: true })
    expect([refused.status, refused.headers.get('x-should-retry')]).toEqual([status, should_retry])
  })
})

describe.each([...formats])('what clients of %s may not see', format => {
  const secrets: [what: string, text: string, option: boolean][] = [
    ['the key of the channel', 'no sk-upstream', false],
    ['an address', 'at 10.1.2.3', false],
    ['any failure of an upstream, by choice', 'Not now', true],
  ]

  test.each(secrets)('%s: the failure is the gateway’s own', async (_, words, isHidden) => {
    await setOption('global.hide_upstream_error_enabled', isHidden)
    await channelFor(format)
    sends(format, beginning(format), failures[format].replaceAll('Not now', words))
    const text = await stream(format)
    expect(text).toContain('Four')
    expect(text).not.toContain(words)
    expect(text).toContain('request id: ')
  })
})

test.each([...formats])(
  'a failure in the format %s whose status the channel maps is the gateway’s own',
  async format => {
    const mapped = Object.fromEntries([500, 502, 503, 529].map(status => [status, 400]))
    await channelFor(format, { status_code_mapping: JSON.stringify(mapped) })
    sends(format, beginning(format), failures[format])
    const text = await stream(format)
    expect(text).toStartWith(beginning(format))
    expect(text).not.toContain(failures[format])
    expect(violations(format, text)).toEqual([])
    expect(text).toContain('request id: ')
  },
)
