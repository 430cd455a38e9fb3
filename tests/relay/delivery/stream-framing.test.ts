// @engine sqlite
/** Framings of streams by networks and upstreams change nothing. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { assemble } from '../../../src/formats/canonical/assemble.ts'
import type { ClientFormatName } from '../../../src/formats/canonical/chat.ts'
import { chatFormats, formats } from '../../../src/formats/index.ts'
import { told } from '../../formats/matrix.ts'
import { eventsOf } from '../../formats/support.ts'
import { wires } from '../../formats/wire/index.ts'
import type { Feature, Json } from '../../formats/wire/sse.ts'
import { setOption } from '../../support/app/options.ts'
import { type Client, client, MODEL } from '../../support/people/client.ts'
import { casesInTier } from '../../support/tier.ts'
import { deleteChannels } from '../../support/upstream/served-channel.ts'
import { callIn, channelFor, serverOf } from '../../support/upstream/translation.ts'

await setOption('ModelRatio', JSON.stringify({ [MODEL]: 0.001, 'codex-mini': 0.001 }))

let ann: Client
beforeEach(async () => {
  await deleteChannels()
  ann = await client()
})

const sse = { 'content-type': 'text/event-stream' }

/** What a caller understands of a stream that comes in these pieces. */
async function received(caller: ClientFormatName, upstream: ClientFormatName, pieces: Iterable<string | Uint8Array>) {
  serverOf(upstream).scripts(async answer => {
    await answer.head(200, sse, 'chunked')
    for (const piece of pieces) await answer.write(piece)
    await answer.end()
  })
  const response = await callIn(caller, ann, { stream: true })
  const events = eventsOf(chatFormats[caller], await response.text())
  return { answer: told(assemble(events), upstream), last: events.at(-1)?.kind }
}

const pairs = formats.flatMap(caller => formats.map(upstream => [caller, upstream] as const))
const streamOf = (upstream: ClientFormatName, feature: Feature) => wires[upstream].streams[feature]

const bends: Record<string, (stream: string) => Iterable<string | Uint8Array>> = {
  'lines end in CRLF': stream => [stream.replaceAll('\n', '\r\n')],
  'lines end in CR': stream => [stream.replaceAll('\n', '\r')],
  'comments stand between': stream => [stream.replaceAll('\n\n', '\n\n: still there\n\n')],
  'blank lines are many': stream => [stream.replaceAll('\n\n', '\n\n\n')],
  'no space follows the colon': stream => [stream.replaceAll('data: ', 'data:')],
  'it begins with a byte order mark': stream => [`\ufeff${stream}`],
  'the last line does not end': stream => [stream.trimEnd()],
  'the last blank line is missing': stream => [`${stream.trimEnd()}\n`],
  'bytes come one by one': stream => [...Buffer.from(stream)].map(byte => Uint8Array.of(byte)),
  'characters are torn apart': stream => {
    const bytes = Buffer.from(stream)
    const at = bytes.indexOf('四')
    return at < 0 ? [bytes] : [bytes.subarray(0, at + 1), bytes.subarray(at + 1, at + 2), bytes.subarray(at + 2)]
  },
}

const features = ['text', 'tools', 'thinking'] as const

describe.each(pairs)('client %s, upstream %s', (caller, upstream) => {
  test('any framing gives the same response', async () => {
    await channelFor(upstream)
    const pair = formats.indexOf(caller) * formats.length + formats.indexOf(upstream)
    for (const [at, feature] of features.entries()) {
      const stream = streamOf(upstream, feature)
      const usual = await received(caller, upstream, [stream])
      expect(usual.last).toBe('end')
      for (const [how, bend] of casesInTier(Object.entries(bends), pair * features.length + at, 3)) {
        const bent = await received(caller, upstream, bend(stream))
        expect({ how, ...bent }).toEqual({ how, ...usual })
      }
    }
  })

  test('a missing end marker gives the same response where the format allows it', async () => {
    await channelFor(upstream)
    const stream = streamOf(upstream, 'tools')
    const usual = await received(caller, upstream, [stream])
    const cut = stream.replace(/data: \[DONE\]\n\n$|event: message_stop\n.*\n\n$/, '')
    expect(await received(caller, upstream, [cut])).toEqual(usual)
  })
})

/** Streams whose one event has all. */
const whole: Partial<Record<ClientFormatName, Json>> = {
  'openai-chat': {
    ...{ id: 'c', object: 'chat.completion.chunk' },
    choices: [{ index: 0, delta: { role: 'assistant', content: 'Four' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 },
  },
  gemini: {
    candidates: [{ content: { role: 'model', parts: [{ text: 'Four' }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 5, totalTokenCount: 25 },
  },
}

test.each(formats.flatMap(caller => (Object.keys(whole) as ClientFormatName[]).map(upstream => [caller, upstream])))(
  'client %s has the only event of %s, with its blank line and without',
  async (caller, upstream) => {
    await channelFor(upstream)
    const event = `data: ${JSON.stringify(whole[upstream])}`
    const usual = await received(caller, upstream, [`${event}\n\n`])
    expect(usual).toMatchObject({ last: 'end', answer: { choices: [{ parts: [{ kind: 'text', text: 'Four' }] }] } })
    for (const end of ['\n', '', '\r\n']) expect(await received(caller, upstream, [event, end])).toEqual(usual)
  },
)

describe('usage reports in odd places', () => {
  const spoken = (chunk: Json) => `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', ...chunk })}\n\n`
  const say = (content: string, rest: Json = {}) => spoken({ choices: [{ index: 0, delta: { content }, ...rest }] })
  const finish = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }
  const usage = { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 }
  const early = { ...usage, completion_tokens: 1, total_tokens: 21 }
  const report = { choices: [], usage }
  const done = 'data: [DONE]\n\n'

  const streams: Record<string, string> = {
    'after the reason to finish': say('Four') + spoken(finish) + spoken(report) + done,
    'with the reason to finish': say('Four') + spoken({ ...finish, usage }) + done,
    'with every piece, growing': `${spoken({ choices: [{ index: 0, delta: { content: 'Four' } }], usage: early })}${spoken({ ...finish, usage })}${done}`,
    'before the first word': spoken(report) + say('Four') + spoken(finish) + done,
    twice: say('Four') + spoken(finish) + spoken(report) + spoken(report) + done,
    'inside the choice': say('Four') + spoken({ choices: [{ ...finish.choices[0], usage }] }) + done,
    'without [DONE]': say('Four') + spoken(finish) + spoken(report),
  }

  test.each([...formats])('they count as one report for a client of %s', async caller => {
    await channelFor('openai-chat')
    for (const [where, stream] of Object.entries(streams)) {
      const { answer } = await received(caller, 'openai-chat', [stream])
      const parts = [{ kind: 'text', text: 'Four' }]
      expect({ where, choices: answer.choices }).toMatchObject({ where, choices: [{ parts, reason: 'stop' }] })
      if (caller !== 'openai-chat')
        expect({ where, usage: answer.usage }).toMatchObject({ usage: { input: 20, output: 5 } })
    }
  })
})

const without = (stream: string, ...types: string[]) =>
  stream
    .split(/(?<=\n\n)/)
    .filter(event => !types.some(type => event.startsWith(`event: response.${type}\n`)))
    .join('')

test('a stream of Responses without deltas, or with whole items alone, gives the same response', async () => {
  await channelFor('openai-responses')
  const stream = streamOf('openai-responses', 'text')
  const usual = await received('anthropic', 'openai-responses', [stream])
  const parts = ['content_part.added', 'output_text.delta', 'output_text.done', 'content_part.done']
  for (const left_out of [['output_text.delta'], parts, [...parts, 'output_item.added']])
    expect(await received('anthropic', 'openai-responses', [without(stream, ...left_out)])).toEqual(usual)
})

describe('fragments of calls that are complete', () => {
  const chunk = (delta: Json, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })}\n\n`
  const fragment = (index: number, fields: Json) => chunk({ tool_calls: [{ index, ...fields }] })
  const call = (index: number, id: string, text: string) =>
    fragment(index, { id, type: 'function', function: { name: 'weather', arguments: text } })
  const both = call(0, 'a', '{"city":"Oslo"}') + call(1, 'b', '{"city":"Rome"}')
  const end = `${chunk({}, 'tool_calls')}data: [DONE]\n\n`

  const repetitions: Record<string, string> = {
    'empty ends': fragment(0, { function: { arguments: '' } }) + fragment(1, { function: { arguments: '' } }),
    'a line break': fragment(0, { function: { arguments: '\n' } }),
    'both calls again': call(0, 'a', '{"city":"Oslo"}') + call(1, 'b', ''),
    'an empty end behind a text': chunk({ content: 'Hm' }) + fragment(1, { function: { arguments: '' } }),
  }

  test.each(formats.filter(name => name !== 'openai-chat'))(
    'no client of %s gets another call for them',
    async caller => {
      await channelFor('openai-chat')
      for (const [what, late] of Object.entries(repetitions)) {
        const { answer } = await received(caller, 'openai-chat', [both + late + end])
        const calls = answer.choices[0]!.parts.filter(part => (part as Json).kind === 'tool_call')
        expect([what, calls.length]).toEqual([what, 2])
        expect(calls).toMatchObject([{ arguments: '{"city":"Oslo"}' }, { arguments: '{"city":"Rome"}' }])
      }
    },
  )
})

describe('an event of eleven megabytes', () => {
  const words = 'word '.repeat((11 * 1_048_576) / 5)
  const textOf = ({ choices }: { choices: { parts: unknown[] }[] }) =>
    choices[0]!.parts.map(part => (part as { text: string }).text).join('')
  const callers = formats.flatMap(upstream => {
    const other: ClientFormatName = upstream === 'openai-chat' ? 'anthropic' : 'openai-chat'
    return [upstream, other].map(caller => [caller, upstream] as const)
  })

  test.each(callers)('it reaches a client of %s from an upstream of %s', async (caller, upstream) => {
    await channelFor(upstream)
    const stream = streamOf(upstream, 'text')
    const { answer, last } = await received(caller, upstream, [stream.replace(' 四', words)])
    expect(last).toBe('end')
    expect(textOf(answer) === `Four${words}.`).toBe(true)
  })
})

test('a broken frame before the first event closes the connection', async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  await channelFor('openai-chat')
  serverOf('openai-chat').scripts(async answer => {
    await answer.head(200, { 'content-type': 'application/vnd.amazon.eventstream' }, 'chunked')
    await answer.write(new Uint8Array(64).fill(255))
    await answer.left
    resolve()
  })
  expect((await callIn('openai-chat', ann, { stream: true })).status).toBe(502)
  await closed
})
