/** Every event reaches the client before the next one is sent, for every pair of formats. */
import { beforeAll, expect, test } from 'bun:test'
import type { ClientFormatName } from '../../../src/formats/canonical/chat.ts'
import { formats } from '../../../src/formats/index.ts'
import { type Json, named, unnamed } from '../../formats/wire/sse.ts'
import { setOption } from '../../support/app/options.ts'
import { type Client, client, MODEL } from '../../support/people/client.ts'
import { deleteChannels } from '../../support/upstream/served-channel.ts'
import { callIn, channelFor, serverOf } from '../../support/upstream/translation.ts'

const WORDS = ['one ', 'two ', 'three ', 'four ', 'five ']
const usage = { input_tokens: 5, output_tokens: 1 }
const inPart = { item_id: 'i', output_index: 0, content_index: 0 }

/** What comes before the first word, and a word. */
const speech: Record<ClientFormatName, { opening: string; word(text: string): string }> = {
  'openai-chat': {
    opening: unnamed([chunk({ role: 'assistant', content: '' })]),
    word: content => unnamed([chunk({ content })]),
  },
  'openai-responses': {
    opening: named([
      { type: 'response.created', response: { id: 'resp_1', model: 'm', status: 'in_progress', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item: { id: 'i', type: 'message', content: [] } },
      { type: 'response.content_part.added', ...inPart, part: { type: 'output_text', text: '', annotations: [] } },
    ]),
    word: delta => named([{ type: 'response.output_text.delta', ...inPart, delta }]),
  },
  anthropic: {
    opening: named([
      { type: 'message_start', message: { id: 'msg_1', role: 'assistant', model: 'm', content: [], usage } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ]),
    word: text => named([{ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }]),
  },
  gemini: {
    opening: '',
    word: text => unnamed([{ candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] } }] }]),
  },
}

function chunk(delta: Json): Json {
  return { id: 'c', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta }] }
}

let ann: Client
beforeAll(async () => {
  await setOption('ModelRatio', JSON.stringify({ [MODEL]: 1.25, 'codex-mini': 1 }))
  ann = await client()
})

test.each(formats.flatMap(from => formats.map((to): [ClientFormatName, ClientFormatName] => [from, to])))(
  'each event from %s reaches a client of %s before the next one is sent',
  async (from, to) => {
    await deleteChannels()
    await channelFor(from)
    const received = new Map(WORDS.map(word => [word, Promise.withResolvers<void>()]))
    serverOf(from).scripts(async answer => {
      await answer.head(200, { 'content-type': 'text/event-stream' }, 'chunked')
      // A chunk of no bytes would be the end.
      if (speech[from].opening) await answer.write(speech[from].opening)
      for (const [word, { promise }] of received) {
        await answer.write(speech[from].word(word))
        await promise
      }
      answer.fin()
    })
    const reader = (await callIn(to, ann, { stream: true })).body!.getReader()
    let text = ''
    for (const [word, { resolve }] of received) {
      while (!text.includes(`"${word}"`)) {
        const { value, done } = await reader.read()
        if (done) throw new Error(`it ended before ${word}`)
        text += Buffer.from(value)
      }
      resolve()
    }
    await reader.cancel()
    expect(text).toContain('"five "')
  },
)
