// @engine sqlite
/** Streams that end between any two events, and what clients send back of them. */
import { describe, expect, test } from 'bun:test'
import type { ChatResponse, Owner } from '../../src/formats/canonical/chat.ts'
import { replay } from '../../src/formats/canonical/replay.ts'
import { chatFormats, formats } from '../../src/formats/index.ts'
import { isFlaw } from '../../src/formats/json/checks.ts'
import type { Json } from '../../src/pure/json.ts'
import { readFor, translated } from './histories/check.ts'
import { keptBy } from './histories/kept.ts'
import { strictUpstreams } from './rules/index.ts'
import { signatureBy } from './rules/rule.ts'
import { labelFor, requestOf, wired } from './support.ts'
import { eventsOfText } from './wire/sse.ts'

const thought = 'Two tools will do.'
const call = (id: string) => ({ kind: 'tool_call', id, name: 'f', arguments: `{"of":"${id}"}` }) as const

/** A thought that its maker signed, a text and two calls. */
const answerOf = (owner: Owner): ChatResponse => ({
  ...{ id: 'x', model: 'm', doubts: [] },
  choices: [
    {
      parts: [
        { kind: 'thinking', text: thought, signature: { owner, value: signatureBy(owner, thought) } },
        { kind: 'text', text: 'I look.' },
        ...['call_a', 'call_b'].map(call),
      ],
      finish: { reason: 'tool_calls' },
    },
  ],
})

/** The stream of an answer as a client of the format gets it. */
function eventsFor(client: (typeof formats)[number], owner: Owner): Json[] {
  const writer = chatFormats[client].writeStream(labelFor(requestOf(client, 'tools')))
  const text = [...replay(answerOf(owner))].map(event => writer.write(event)).join('')
  return eventsOfText(text).flatMap(data => (data === '[DONE]' ? [] : [JSON.parse(data)]))
}

describe.each([...formats])('a client of %s', client => {
  const upstreams = strictUpstreams.filter(({ format }) => format.name !== client)

  test.each(['anthropic', 'openai', 'gemini'] as const)(
    'keeps any beginning of a stream with a thought of %s',
    owner => {
      const events = eventsFor(client, owner)
      for (const [cut] of [...events, {}].entries()) {
        const request = readFor(client, wired(keptBy[client](events.slice(0, cut))))
        for (const upstream of upstreams) {
          const sent = translated(client, request, upstream)
          if (isFlaw(sent)) expect(sent.code).toBe('format.no_tools')
          else expect([cut, upstream.title, upstream.flawOf(wired(sent))]).toEqual([cut, upstream.title, undefined])
        }
      }
    },
  )

  test.each(upstreams.filter(({ format }) => format.limits.owner))('sends a whole stream back to $title', upstream => {
    const owner = upstream.format.limits.owner!
    if (owner === 'bedrock') return
    const sent = translated(client, readFor(client, wired(keptBy[client](eventsFor(client, owner)))), upstream)
    const text = JSON.stringify(sent)
    for (const id of ['call_a', 'call_b']) expect(text).toContain(id)
    if (upstream.format.name !== 'openai-chat') expect(text).toContain(signatureBy(owner, thought))
  })
})
