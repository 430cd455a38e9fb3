// @engine sqlite
/** Ids that an answer names belong to its user, and every place where a request can name one is looked at. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { anthropicPlaces } from '../../src/formats/anthropic/stored-places.ts'
import { geminiPlaces } from '../../src/formats/gemini/stored-places.ts'
import { chatPlaces } from '../../src/formats/openai-chat/stored-places.ts'
import { imagePlaces } from '../../src/formats/openai-images/request.ts'
import { openAiPlaces } from '../../src/formats/openai-responses/stored-places.ts'
import { speechPlaces } from '../../src/formats/openai-speech/index.ts'
import type { StoredPlace } from '../../src/formats/stored-places.ts'
import type { Json } from '../formats/wire/sse.ts'
import { setOption } from '../support/app/options.ts'
import { setPrice } from '../support/app/prices.ts'
import { type Client, client } from '../support/people/client.ts'
import { setUp } from '../support/people/person.ts'
import { makeChannel } from '../support/upstream/channel.ts'
import { namingUpstream, newId } from '../support/upstream/naming-upstream.ts'
import { channelFields, type Made, models, storedKinds } from '../support/upstream/stored-kinds.ts'

const IMAGE = 'gpt-image-1'
const SPEECH = 'gpt-4o-mini-tts'
const BALANCE = 10_000_000
const maker = namingUpstream()
const root = await setUp()
const paid = ['shell', 'mcp', 'code_interpreter', 'file_search', 'image_generation', 'computer'].map(
  name => `tools.${name}`,
)
const setting = { allowed_fields: [...paid, 'tools.fileSearch', 'tools.retrieval'] }
const all = [...Object.values(models), IMAGE, SPEECH]
/** Under this name a model is served by a channel that passes ids which were made elsewhere. */
const open = (model: string) => `open-${model}`
const add = (fields: Json) => makeChannel(root, { base_url: maker.url, setting: JSON.stringify(setting), ...fields })
for (const fields of channelFields) await add(fields)
await add({ type: 1, models: [IMAGE, SPEECH].join(), key: 'sk-9' })
const passes = JSON.stringify({ ...setting, allow_unknown_ids: true })
for (const [type, served] of [
  [1, [models.openai, models.chat, IMAGE, SPEECH]],
  [14, [models.anthropic]],
  [24, [models.gemini]],
] as const)
  await add({ type, models: served.map(open).join(), key: 'sk-open', setting: passes })
await add({ type: 47, models: 'translated', key: 'sk-open', setting: passes })
const atOne = Object.fromEntries([...all, ...all.map(open), 'translated'].map(model => [model, 1]))
await setPrice('ModelRatio', atOne)
await setPrice('CompletionRatio', atOne)
await setOption('PreConsumedQuota', 0)

const ann = await client({}, BALANCE)
const ben = await client({}, BALANCE)
beforeEach(() => {
  maker.size.prompt = 100
  maker.calls.length = 0
})

const send = (who: Client, { path, body }: Made, fields: Json = {}) => who.postTo(path, { ...body, ...fields })
/** The same call to a channel that passes ids which were made elsewhere. */
const toOpen = ({ path, body }: Made): Made => ({
  path: path.replace('models/', 'models/open-'),
  body: 'model' in body ? { ...body, model: open(String(body.model)) } : body,
})

describe.each(storedKinds)('stored: $title', ({ make, pattern, use, unseen, status, words }) => {
  const expectUnknown = async (who: Client, id: string) => {
    const before = maker.calls.length
    const answer = await send(who, use(id))
    expect([answer.status, ((await answer.json()) as any).error.message]).toEqual([
      status,
      expect.stringContaining(words(id)),
    ])
    expect(maker.calls).toHaveLength(before)
  }

  if (make)
    test('belongs to its maker, whole and streamed, at the key that made it', async () => {
      for (const stream of [false, true, false, true]) {
        const made = await send(ann, make, { stream })
        const id = pattern!.exec(await made.text())![1]!
        await expectUnknown(ben, id)
        const used = await send(ann, use(id))
        expect([used.status, await used.text()]).toEqual([200, expect.any(String)])
        const [first, last] = maker.calls.slice(-2)
        expect(last!.key).toBe(first!.key)
      }
    })

  test('is unknown where no call has made it, unless the channel says so', async () => {
    const id = unseen()
    for (const who of [ann, ben]) await expectUnknown(who, id)
    maker.keeps('sk-open', id)
    for (const who of [ann, ben]) expect((await send(who, toOpen(use(id)))).status).toBe(200)
    for (const who of [ann, ben]) await expectUnknown(who, id)
  })
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

describe.each(rows)('a place for ids: $title', ({ title, place, path, base }) => {
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

  // A voice is no part of the prompt.
  if (place.kind !== 'voice')
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

test('the items of an answer are held once, for as long as the answer with what its tools have read', async () => {
  const read = 20_000
  const make = storedKinds[1]!.make!
  maker.size.prompt = read
  const before = await ann.balance()
  await send(ann, make)
  const cost = before - (await ann.balance())
  for (const [left, status] of [
    [read + 5000, 200],
    [read - 5000, 403],
  ] as const) {
    const poor = await client({}, cost + left)
    const { output } = (await (await send(poor, make)).json()) as { output: { id: string }[] }
    expect(await poor.balance()).toBe(left)
    const input = [...go, ...output.map(({ id }) => ({ type: 'item_reference', id }))]
    expect((await send(poor, make, { input })).status).toBe(status)
  }
})

test('an answer that is not to be stored binds its container and its files, and no items', async () => {
  const [, reference] = storedKinds
  const container = storedKinds.find(({ title }) => title === 'container')!
  const text = await (await send(ann, reference!.make!, { store: false })).text()
  expect((await send(ann, reference!.use(reference!.pattern!.exec(text)![1]!))).status).toBe(404)
  expect((await send(ann, container.use(container.pattern!.exec(text)![1]!))).status).toBe(200)
})

test('a whole item that is sent back by another user keeps its meaning, unless only its id has one', async () => {
  const whole = [
    {
      type: 'message',
      id: newId('msg_'),
      role: 'assistant',
      content: [{ type: 'output_text', text: 'Hi', annotations: [] }],
    },
    { type: 'reasoning', id: 'rs_0', summary: [{ type: 'summary_text', text: 'Hm' }] },
  ]
  for (const item of whole)
    if (item.id !== 'rs_0') for (const key of ['sk-1', 'sk-2', 'sk-3']) maker.keeps(key, item.id)
  const answer = await ben.postTo('/v1/responses', {
    model: models.openai,
    max_output_tokens: 16,
    input: [...whole, ...go],
  })
  expect(answer.status).toBe(200)
  const made = await (await send(ann, storedKinds[1]!.make!)).text()
  const [, id] = /"id":"(ci_[0-9a-f]{32})"/.exec(made)!
  const call = { type: 'code_interpreter_call', id, code: '1', outputs: null, status: 'completed' }
  const echoed = (who: Client) =>
    who.postTo('/v1/responses', { model: models.openai, max_output_tokens: 16, input: [...go, call] })
  expect((await echoed(ben)).status).toBe(404)
})

test('objects at two channels are unknown together', async () => {
  const [, reference] = storedKinds
  const ids = new Map<string, string>()
  while (ids.size < 3) {
    const text = await (await send(ann, reference!.make!)).text()
    ids.set(maker.calls.at(-1)!.key, reference!.pattern!.exec(text)![1]!)
  }
  const input = [...go, ...[...ids.values()].map(id => ({ type: 'item_reference', id }))]
  const answer = await ann.postTo('/v1/responses', { model: models.openai, input })
  expect([answer.status, ((await answer.json()) as any).error]).toMatchObject([
    404,
    { type: 'invalid_request_error', param: 'input', code: null },
  ])
})

test('more references than are looked up are refused', async () => {
  const input = Array.from({ length: 1001 }, () => ({ type: 'item_reference', id: newId('rs_') }))
  const answer = await ann.postTo('/v1/responses', { model: models.openai, input })
  expect([answer.status, ((await answer.json()) as any).error.message]).toEqual([400, expect.stringContaining('1000')])
})

test('other formats carry the files of their maker alone, and do without the id of a thought', async () => {
  const id = newId('file_')
  maker.keeps('sk-open', id)
  const file = [{ role: 'user', content: [{ type: 'input_file', file_id: id }] }]
  const responded = await ann.postTo('/v1/responses', { model: 'translated', input: file })
  expect([responded.status, maker.calls.at(-1)?.path]).toEqual([200, '/v1/chat/completions'])
  expect(JSON.stringify(maker.calls.at(-1)!.body)).toContain(`{"type":"file","file":{"file_id":"${id}"}}`)
  const thought = { type: 'reasoning', id: newId('rs_'), summary: [{ type: 'summary_text', text: 'Hm' }] }
  const went_on = await ann.postTo('/v1/responses', { model: 'translated', input: [thought, ...go] })
  expect(went_on.status).toBe(200)
  const calls = maker.calls.length
  const document = { type: 'document', source: { type: 'file', file_id: id } }
  const written = await ann.postTo('/v1/messages', {
    ...{ model: 'translated', max_tokens: 16, messages: [{ role: 'user', content: [document] }] },
  })
  expect([written.status, ((await written.json()) as any).error.message]).toEqual([400, expect.stringMatching(/file/i)])
  expect(maker.calls).toHaveLength(calls)
})
