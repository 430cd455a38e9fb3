/** The budget of a channel that calls pass over: the page of a call and the route finder name it. */
import { expect, test } from 'bun:test'
import { setOption } from '../support/app/options.ts'
import { makeBudget } from '../support/people/budgets.ts'
import { client, MODEL } from '../support/people/client.ts'
import { setUp } from '../support/people/person.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../support/upstream/served-channel.ts'

const root = await setUp()
const upstream = await startUpstream(chat({ usage: { prompt_tokens: 8, completion_tokens: 4 } }))
const full = await channelTo(upstream, { priority: 9 })
await channelTo(upstream)
await setOption('PreConsumedQuota', 0)
await makeBudget('channel', full.id, { name: 'Daily deal', amount: 1, window: 'rolling', seconds: 60 })

test('a channel whose budget is used up is named with its budget, to administrators alone', async () => {
  const who = await client()
  const call = async () => {
    const response = await who.chat({ max_tokens: 4 })
    expect(response.status).toBe(200)
    await response.text()
    return response.headers.get('x-request-id')!
  }
  await call()
  const request_id = await call()
  const page = async (person: typeof root, path: string) => (await person.page(path)).text()
  expect((await page(root, `/admin/calls/${request_id}`)).includes('its budget Daily deal had no room')).toBe(true)
  const own = await page(who.person, `/app/calls/${request_id}`)
  expect(own.includes('Steps')).toBe(true)
  expect(own.includes('Daily deal')).toBe(false)
  const finder = await page(root, `/admin/routes?group=default&model=${MODEL}`)
  expect(finder).toMatch(/has used up its budget Daily deal for another \d\d? s/)
})

test('a channel of which several budgets are used up is named with the one that is for the longest time', async () => {
  const models = 'o3'
  upstream.scripts(models, chat({ usage: { prompt_tokens: 8, completion_tokens: 4 } }))
  const { id } = await channelTo(upstream, { models })
  for (const [name, seconds] of [
    ['Hour', 3600],
    ['Week', 604_800],
    ['Minute', 60],
  ] as const)
    await makeBudget('channel', id, { name, amount: 1, window: 'rolling', seconds })
  expect((await (await client()).chat({ model: models, max_tokens: 4 })).status).toBe(200)
  const { data } = await root.get(`/api/channel/routes?model=${models}`)
  expect(data.others.find((one: { id: number }) => one.id === id).obstacles).toMatchObject([
    { code: 'budget', reason: 'Week' },
  ])
  expect(data.others_total).toBe(data.others.length)
})
