// @engine sqlite
/** Every place where a request can name something stored is looked at: its rows are the tables of the formats. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { anthropicPlaces } from '../../../src/formats/anthropic/stored-places.ts'
import { geminiPlaces } from '../../../src/formats/gemini/stored-places.ts'
import { chatPlaces } from '../../../src/formats/openai-chat/stored-places.ts'
import { imagePlaces } from '../../../src/formats/openai-images/request.ts'
import { openAiPlaces } from '../../../src/formats/openai-responses/stored-places.ts'
import { speechPlaces } from '../../../src/formats/openai-speech/index.ts'
import type { StoredPlace } from '../../../src/formats/stored-places.ts'
import type { Json } from '../../formats/wire/sse.ts'
import { client } from '../../support/people/client.ts'
import { newId } from '../../support/upstream/naming-upstream.ts'
import { models, storedKinds } from '../../support/upstream/stored-kinds.ts'
import { ann, ben, IMAGE, maker, SPEECH, send, toOpen } from '../../support/upstream/stored-site.ts'

beforeEach(() => {
  maker.size.prompt = 100
  maker.calls.length = 0
})

interface PlaceRow {
  format: string
  place: StoredPlace
  path: string
  base: Json
}

const rowsOf = (format: string, places: readonly StoredPlace[], path: string, base: Json): PlaceRow[] =>
  places.map(place => ({ format, place, path, base }))
const go = [{ role: 'user', content: 'Go' }]
const generate = `/v1beta/models/${models.gemini}:generateContent`
const rows = [
  ...rowsOf('openai-responses', openAiPlaces, '/v1/responses', {
    model: models.openai,
    max_output_tokens: 16,
    input: 'Go',
  }),
  ...rowsOf('anthropic', anthropicPlaces, '/v1/messages', { model: models.anthropic, max_tokens: 16, messages: go }),
  ...rowsOf('gemini', geminiPlaces, generate, {
    contents: [{ parts: [{ text: 'Go' }] }],
    generationConfig: { maxOutputTokens: 16 },
  }),
  ...rowsOf('openai-chat', chatPlaces, '/v1/chat/completions', { model: models.chat, max_tokens: 16, messages: go }),
  ...rowsOf('images', imagePlaces, '/v1/images/edits', {
    model: IMAGE,
    prompt: 'Go',
    images: [{ image_url: 'data:,' }],
  }),
  ...rowsOf('speech', speechPlaces, '/v1/audio/speech', { model: SPEECH, input: 'Go', voice: 'alloy' }),
].map(row => ({ ...row, title: `${row.format} ${row.place.at}` }))
const compares = ({ place }: PlaceRow) => /comparison_response_id$|^diagnostics/.test(place.at)

/** Fields that hold lists. */
const lists = new Set([
  'input',
  'messages',
  'content',
  'tools',
  'contents',
  'parts',
  'images',
  'skills',
  'ragResources',
  'dataStoreSpecs',
])
/** What stands beside an id, where its meaning depends on that. */
const beside: Record<string, Json> = {
  'openai-responses input.id': { type: 'item_reference' },
  'openai-responses input.content.file_id': { type: 'input_file' },
  'openai-responses input.container_id': { type: 'code_interpreter_call', code: '1', outputs: null },
  'anthropic thread.previous_message_id': { type: 'continue' },
  'anthropic messages.content.source.file_id': { type: 'file' },
  'anthropic messages.content.file_id': { type: 'container_upload' },
  'openai-chat messages.content': { role: 'system' },
}
const prefixes: Record<string, string> = {
  'openai-chat messages.content': 'fileid://',
  ...Object.fromEntries(
    ['image_url', 'image_url.url', 'video_url', 'video_url.url'].map(at => [
      `openai-chat messages.content.${at}`,
      'ms://',
    ]),
  ),
}
for (const { at, kind } of geminiPlaces)
  if (kind === 'file' && at.endsWith('fileUri')) prefixes[`gemini ${at}`] = 'https://generativelanguage.googleapis.com/'

function bodyAt(title: string, at: string, id: string): Json {
  const names = at.replace('[]', '').split('.')
  const value = (prefixes[title] ?? '') + id
  let inner: unknown = at.endsWith('[]') ? [value] : value
  for (const [index, name] of names.toReversed().entries()) {
    const object = { ...(index === 0 && beside[title]), [name === '*' ? 'any' : name]: inner }
    const above = names[names.length - 2 - index]
    inner = above !== undefined && lists.has(above) ? [object] : object
  }
  return inner as Json
}

describe.each(rows.filter(compares))('a place that compares: $title', ({ title, place, path, base }) => {
  test('takes any id but one of another user', async () => {
    const { make, pattern } = storedKinds.find(({ title }) => title.endsWith(place.kind))!
    const id = pattern!.exec(await (await send(ann, make!)).text())![1]!
    const body = { ...base, ...bodyAt(title, place.at, id) }
    expect([(await ben.postTo(path, body)).status, maker.calls.length]).toEqual([
      place.kind === 'thread' ? 400 : 404,
      1,
    ])
    const unkept = { ...base, ...bodyAt(title, place.at, 'elsewhere') }
    expect((await ben.postTo(path, unkept)).status).toBe(200)
  })
})

describe.each(rows.filter(row => !compares(row)))('a place for ids: $title', ({ title, place, path, base }) => {
  const body = (id: string) => ({ ...base, ...bodyAt(title, place.at, id) })

  test('is looked at, also below extra_body', async () => {
    const id = newId('some_')
    for (const named of [body(id), { ...base, extra_body: bodyAt(title, place.at, id) }]) {
      const answer = await ann.postTo(path, named)
      const text = await answer.text()
      expect([answer.status, text]).toEqual([
        expect.any(Number),
        expect.stringMatching(/not found|No such File|permission|No thread/i),
      ])
      expect([400, 403, 404]).toContain(answer.status)
    }
    expect(maker.calls).toHaveLength(0)
  })

  if (place.kind === 'voice')
    test('is no part of the prompt, so that calls at once hold nothing for it', async () => {
      const id = newId('some_')
      maker.keeps('sk-open', id)
      const call = toOpen({ path, body: body(id) })
      const poor = await client({}, 60_000)
      const answers = await Promise.all(Array.from({ length: 6 }, () => send(poor, call)))
      expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200))
    })
  else
    test('is held, so that calls at once take no more than one of them', async () => {
      const id = newId('some_')
      maker.keeps('sk-open', id)
      maker.size.prompt = 100_000
      const call = toOpen({ path, body: body(id) })
      const poor = await client({}, 60_000)
      const answers = await Promise.all(Array.from({ length: 6 }, () => send(poor, call)))
      const statuses = answers.map(({ status }) => status).sort()
      expect([statuses, maker.calls.length]).toEqual([[200, 403, 403, 403, 403, 403], 1])
      // Its length is known now.
      const richer = await client({}, 90_000)
      expect([(await send(richer, call)).status, await richer.balance()]).toEqual([403, 90_000])
    })
})
