// @engine postgres
/** What makers store, over two nodes: made at one, it is its user's at the other, at the channel and key that hold it. */
import { beforeAll, describe, expect, test } from 'bun:test'
import type { Json } from '../formats/wire/sse.ts'
import { setUpInstallation, signInAt, startAt } from '../support/app/installation.ts'
import type { Server } from '../support/app/server.ts'
import { addMembers, sendWell } from '../support/people/member.ts'
import { namingUpstream } from '../support/upstream/naming-upstream.ts'
import { channelFields, type Made, models, storedKinds } from '../support/upstream/stored-kinds.ts'

const ROUNDS = 4
const setting = JSON.stringify({ allowed_fields: ['tools.shell', 'tools.mcp'] })
const maker = namingUpstream()
const place = await setUpInstallation()
const nodes: Server[] = []
const keys: string[] = []

beforeAll(async () => {
  const first = await startAt(place)
  const root = await signInAt(first)
  const ratios = JSON.stringify(Object.fromEntries(Object.values(models).map(model => [model, 1])))
  for (const key of ['ModelRatio', 'CompletionRatio'])
    await sendWell(first.url, root, '/api/option/', { method: 'PUT', body: { key, value: ratios } })
  for (const [index, fields] of channelFields.entries())
    await sendWell(first.url, root, '/api/channel/', {
      body: { name: `c${index}`, base_url: maker.url, setting, ...fields },
    })
  const members = await addMembers(place, 'user', 2)
  await place.change(`update users set quota = 1000000000 where id in (${members.map(({ id }) => id).join()})`)
  for (const member of members) {
    const { data } = await sendWell(first.url, member, '/api/token/', { body: { name: 'key', unlimited_quota: true } })
    keys.push(data.key)
  }
  nodes.push(first, await startAt(place))
})

async function ask(node: number, user: number, { path, body }: Made, fields: Json = {}) {
  const answer = await fetch(nodes[node]!.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${keys[user]}`, 'accept-language': 'en' },
    body: JSON.stringify({ ...body, ...fields }),
  })
  return { status: answer.status, text: await answer.text() }
}

describe.each(storedKinds)('stored: $title', ({ make, pattern, use, unseen, status, words }) => {
  const expectUnknown = async (node: number, user: number, id: string) => {
    const { status: answered, text } = await ask(node, user, use(id))
    const { message } = (JSON.parse(text) as { error: { message: string } }).error
    expect([answered, message]).toEqual([status, expect.stringContaining(words(id))])
  }

  test('is its own user’s at both nodes, and unknown to another and where none has made it', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [here, there] = [round % 2, (round + 1) % 2]
      const before = maker.calls.length
      for (const user of [0, 1]) for (const node of [here, there]) await expectUnknown(node, user, unseen())
      expect(maker.calls).toHaveLength(before)
      if (!make) continue
      const made = await ask(here, 0, make, { stream: round < 2 })
      const id = pattern!.exec(made.text)![1]!
      const { key } = maker.calls.at(-1)!
      for (const node of [there, here]) await expectUnknown(node, 1, id)
      expect(maker.calls).toHaveLength(before + 1)
      for (const node of [there, here]) expect(await ask(node, 0, use(id))).toMatchObject({ status: 200 })
      expect(maker.calls.slice(-2).map(call => call.key)).toEqual([key, key])
    }
  })
})

test('every kind that an answer can name is made here, and there are twelve kinds and more', () => {
  expect(storedKinds.length).toBeGreaterThanOrEqual(12)
  expect(storedKinds.filter(({ make }) => make).length).toBeGreaterThanOrEqual(9)
})
