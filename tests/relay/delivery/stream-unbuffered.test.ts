/** No event but the last is held: the upstream sends the next one after the client has read the one before. */
import { beforeEach, expect, test } from 'bun:test'
import {
  type ClientFormatName,
  type Delta,
  type ResponsePart,
  type StreamEvent,
  usageOf,
} from '../../../src/formats/canonical/chat.ts'
import { chatFormats, formats } from '../../../src/formats/index.ts'
import { labelFor, requestOf } from '../../formats/support.ts'
import { type Client, client } from '../../support/people/client.ts'
import { deleteChannels } from '../../support/upstream/served-channel.ts'
import { callIn, channelFor, serverOf } from '../../support/upstream/translation.ts'

let ann: Client
beforeEach(async () => {
  await deleteChannels()
  ann = await client()
})

interface Step {
  frame: string
  /** What its caller must have read before the next is said. */
  word?: string
}

const parts: [opening: ResponsePart, deltas: Delta[]][] = [
  [{ kind: 'thinking', text: '' }, ['One', 'Two', 'Three'].map(text => ({ text: `Thought${text} ` }))],
  [{ kind: 'text', text: '' }, ['One', 'Two', 'Three', 'Vier 四 '].map(text => ({ text: `Word${text}` }))],
  [
    { kind: 'tool_call', id: 'call_a', name: 'weather', arguments: '' },
    ['{"city', '":"Os', 'lo"}'].map(text => ({ arguments: text })),
  ],
]

/** A stream as an upstream of this format says it, event by event. */
function* stepsOf(format: ClientFormatName, seesArguments: boolean): Generator<Step> {
  const writer = chatFormats[format].writeStream(labelFor(requestOf(format, 'text')))
  const say = (event: StreamEvent, word?: string): Step => ({ frame: writer.write(event), word })
  yield say({ kind: 'start', id: 'x', model: 'm' })
  for (const [part, [opening, deltas]] of parts.entries()) {
    yield say({ kind: 'open', choice: 0, part, opening })
    for (const delta of deltas) yield say({ kind: 'delta', choice: 0, part, delta }, wordIn(delta, seesArguments))
    yield say({ kind: 'close', choice: 0, part })
  }
  yield say({ kind: 'finish', choice: 0, finish: { reason: 'tool_calls' } })
  yield say({ kind: 'usage', usage: usageOf({ input: 20, output: 5 }), doubts: [] })
  yield say({ kind: 'end' })
}

/** As it stands in JSON, and in JSON within JSON. */
function wordIn(delta: Delta, seesArguments: boolean): string | undefined {
  if ('text' in delta) return delta.text.trim()
  return seesArguments && 'arguments' in delta ? JSON.stringify(delta.arguments).slice(1, -1) : undefined
}

class EventReader {
  received = ''
  #awaited: { word: string; resolve: () => void } | undefined

  receives(word: string): Promise<void> {
    if (this.received.includes(word)) return Promise.resolve()
    return new Promise(resolve => {
      this.#awaited = { word, resolve }
    })
  }

  async listen(response: Response) {
    for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
      this.received += text
      if (this.#awaited && this.received.includes(this.#awaited.word)) this.#awaited.resolve()
    }
  }
}

/** What has been read, word by word, before anything more was said. */
async function spoken(caller: ClientFormatName, upstream: ClientFormatName, stream: true | 'array' = true) {
  await channelFor(upstream)
  const reader = new EventReader()
  // Google’s calls come whole, from it and to its callers.
  const seesArguments = caller !== 'gemini' && upstream !== 'gemini'
  const words: string[] = []
  serverOf(upstream).scripts(async answer => {
    await answer.head(200, { 'content-type': 'text/event-stream' }, 'chunked')
    for (const { frame, word } of stepsOf(upstream, seesArguments)) {
      if (frame) await answer.write(frame)
      if (!frame || !word) continue
      await reader.receives(word)
      words.push(word)
    }
    await answer.end()
  })
  await reader.listen(await callIn(caller, ann, { stream }))
  expect(words).toHaveLength(seesArguments ? 10 : 7)
  return reader.received
}

const pairs = formats.flatMap(caller => formats.map(upstream => [caller, upstream] as const))

test.each(pairs)('a client of %s gets each event from an upstream of %s before the next', async (caller, upstream) => {
  expect(await spoken(caller, upstream)).not.toContain('"error":{')
})

test("Gemini's JSON array gets each item before the next event", async () => {
  expect(JSON.parse(await spoken('gemini', 'anthropic', 'array')).at(-1).candidates[0].finishReason).toBe('STOP')
})
