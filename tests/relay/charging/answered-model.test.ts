/** An answer by another model than the one that was priced: a dearer one is billed as itself. */
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { logsOf } from '../../support/app/logs.ts'
import { expectBillsComputable, setPrice } from '../../support/app/prices.ts'
import { client, MODEL } from '../../support/people/client.ts'
import {
  ANTHROPIC,
  ask,
  billed,
  channel,
  type Door,
  GEMINI,
  OPENAI,
  PLAIN,
  reports,
} from '../../support/upstream/reporting-upstream.ts'

const BILLS = 20
afterAll(() => expectBillsComputable(BILLS))

const DEAR = 'dear-model'
const DATED = `${MODEL}-2024-05-13`
const PRO = `${MODEL}-pro`
/** Another model at the same price. */
const EQUAL = `${MODEL}-equal`
/** Of 1000 + 1000 tokens: output costs as much as input, four times that under names of GPT-4o. */
const [DEAR_QUOTA, PRO_QUOTA] = [12.5 * 2000, 5 * 5000]

beforeEach(() =>
  setPrice('ModelRatio', { [MODEL]: 1.25, [DEAR]: 12.5, [DATED]: 2.5, [PRO]: 5, [EQUAL]: 1.25, cheap: 0.1 }),
)

test.each([
  ['chat', OPENAI],
  ['responses', OPENAI],
  ['messages', ANTHROPIC],
  ['chat', ANTHROPIC],
  ['gemini', GEMINI],
] as [Door, number][])('a dearer model is billed as itself and noted: %p on channel type %p', async (door, type) => {
  await channel(type)
  reports(door === 'gemini' ? { modelVersion: DEAR } : { model: DEAR })
  const limit = type === ANTHROPIC ? { max_tokens: 2000 } : {}
  for (const stream of door === 'gemini' ? [false] : [false, true]) {
    const { paid, entry } = await billed(door, { ...limit, ...(stream && { stream }) })
    expect([paid, entry.model_name, entry.other.answered_by]).toEqual([DEAR_QUOTA, MODEL, DEAR])
  }
})

test.each([
  [`vendor/${DEAR}`, DEAR_QUOTA, DEAR],
  [PRO, PRO_QUOTA, PRO],
  ['cheap', PLAIN, undefined],
  [EQUAL, PLAIN, undefined],
  ['unknown', PLAIN, undefined],
  [DATED, PLAIN, undefined],
  [`openai/${MODEL}`, PLAIN, undefined],
  [`openai/${DATED}:nitro`, PLAIN, undefined],
  ['', PLAIN, undefined],
  [7, PLAIN, undefined],
] as [unknown, number, string | undefined][])('an answer by %p costs %p', async (model, quota, answered_by) => {
  await channel(OPENAI)
  reports({ model })
  for (const stream of [false, true]) {
    const { paid, entry } = await billed('chat', { stream })
    expect([paid, entry.other.answered_by]).toEqual([quota, answered_by])
  }
})

test.each([
  [DEAR, DEAR, PLAIN],
  ['deployment-1', DEAR, PLAIN],
  ['cheap', DEAR, DEAR_QUOTA],
  ['cheap', 'cheap-2025-01-01', PLAIN],
])('a model that the channel maps to %p and that answers as %p costs %p', async (mapped, model, quota) => {
  await channel(OPENAI, {}, { model_mapping: JSON.stringify({ [MODEL]: mapped }) })
  reports({ model })
  expect((await billed('chat')).paid).toBe(quota)
})

test('the cost that a stream tells is that of the model that answered', async () => {
  await channel(OPENAI)
  reports({ model: DEAR })
  const ann = await client()
  const stream = await ask(ann, 'chat', { stream: true, stream_options: { include_usage: true } })
  expect((await stream.text()).includes('"cost":0.05')).toBe(true)
  expect((await logsOf(ann.person))[0].quota).toBe(DEAR_QUOTA)
})

test('the log page names the model and the tariff in both languages', async () => {
  await channel(OPENAI)
  reports({ model: DEAR, service_tier: 'priority' })
  const { entry } = await billed('chat')
  expect(entry).toMatchObject({ quota: 2 * DEAR_QUOTA, other: { tariffs: { service_tier: 'priority' } } })
  const ann = await client()
  await ask(ann, 'chat')
  const [{ id }] = await logsOf(ann.person)
  for (const [language, note] of [
    ['en', 'dearer than the requested model'],
    ['zh', '按其自身价格计费'],
  ] as const) {
    const html = await (await ann.person.page(`/app/logs/api-usage?open=${id}`, { language })).text()
    expect([html.includes(DEAR), html.includes(note), html.includes('priority × 2')]).toEqual([true, true, true])
  }
})
