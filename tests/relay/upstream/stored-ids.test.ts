// @engine sqlite
/** Ids that an answer names belong to its user, to the channel and to the key that made them. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { db } from '../../../src/db/database.ts'
import { pruneStoredItems, pruneStoredObjects } from '../../../src/domain/stored-objects/index.ts'
import { storedItems, storedObjects } from '../../../src/domain/stored-objects/table.ts'
import { type Client, client } from '../../support/people/client.ts'
import { newId } from '../../support/upstream/naming-upstream.ts'
import { models, storedKinds } from '../../support/upstream/stored-kinds.ts'
import { ann, ben, maker, send, toOpen } from '../../support/upstream/stored-site.ts'

const go = [{ role: 'user', content: 'Go' }]
beforeEach(() => {
  maker.size.prompt = 100
  maker.calls.length = 0
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
  const ask = async (count: number) => {
    const input = Array.from({ length: count }, () => ({ type: 'item_reference', id: newId('rs_') }))
    const answer = await ann.postTo('/v1/responses', { model: models.openai, input })
    return [answer.status, ((await answer.json()) as any).error.message]
  }
  expect(await ask(1001)).toEqual([400, expect.stringContaining('1000')])
  // They are looked up: none is known.
  expect(await ask(1000)).toEqual([404, expect.any(String)])
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

test('items without content are references, whatever stands in its place', async () => {
  const [, reference] = storedKinds
  const id = reference!.pattern!.exec(await (await send(ann, reference!.make!)).text())![1]!
  const empty = [
    ...[undefined, null, '', [], ['']].map(content => ({ type: 'message', id, role: 'assistant', content })),
    ...[undefined, null, [], [{ type: 'reasoning_text', text: 'Hm' }]].map(content => ({
      ...{ type: 'reasoning', id, summary: [], content },
    })),
  ]
  for (const item of empty) {
    const answer = await send(ben, reference!.make!, { input: [...go, item] })
    expect([item, answer.status]).toEqual([item, 404])
  }
})

test('an expired response is unknown, and its row and those of its items are deleted', async () => {
  const [, reference] = storedKinds
  const id = reference!.pattern!.exec(await (await send(ann, reference!.make!)).text())![1]!
  const { signal } = new AbortController()
  await pruneStoredItems(signal)
  expect((await send(ann, reference!.use(id))).status).toBe(200)
  await db.update(storedObjects).set({ expires_time: 1 })
  expect((await send(ann, reference!.use(id))).status).toBe(404)
  await pruneStoredObjects(signal)
  await pruneStoredItems(signal)
  expect([await db.$count(storedObjects), await db.$count(storedItems)]).toEqual([0, 0])
})
