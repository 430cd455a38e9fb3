/** Videos that took other units than were asked for: the difference is settled once, in every counter. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { TokenStatus } from '../../../src/contracts/token.ts'
import { resetCircuits } from '../../../src/domain/routing/health/breaker.ts'
import { logsOf } from '../../support/app/logs.ts'
import { setOption } from '../../support/app/options.ts'
import { Client } from '../../support/people/client.ts'
import { earnedBy, figures, spendingUser } from '../../support/people/spending-user.ts'
import { expectCleanBooks, rowOf } from '../../support/people/tasks.ts'
import { begun, looks, priced, SECOND_QUOTA, seen, videoChannel } from '../../support/people/videos.ts'
import { ark, SEARCHES, xai } from '../../support/upstream/videos/clouds.ts'
import { videoServer } from '../../support/upstream/videos/server.ts'

const maker = await videoServer(xai)
const channel = await videoChannel(xai, maker)
const tokens = ark(54)
const cloud = await videoServer(tokens)
await videoChannel(tokens, cloud)
const ASKED = 10 * SECOND_QUOTA

beforeEach(() => priced(xai.model))
afterEach(async () => {
  await expectCleanBooks()
  resetCircuits(channel.id)
})

const begins = async (balance: number, limit: number) => {
  const who = await spendingUser(balance, limit)
  return { who, id: await begun(new Client(who.person, who.token.key), { model: xai.model, ...xai.request }) }
}

test('a video that was not made is given back once, and the cost by its maker is kept', async () => {
  maker.plays('short')
  const before = await earnedBy(channel.id)
  const { who, id } = await begins(2 * ASKED, ASKED)
  await Promise.all([looks(4), looks(4)])
  await looks(2)
  const spent = ASKED / 2
  expect(await figures(who)).toMatchObject({
    ...{ quota: 2 * ASKED - spent, used_quota: spent, token_used: spent, token_remain: spent },
    ...{ token_status: TokenStatus.enabled, usage_quota: spent, usage_calls: 1, request_count: 1 },
  })
  expect((await earnedBy(channel.id)) - before).toBe(spent)
  expect(await rowOf(id)).toMatchObject({ status: 'SUCCESS', charged: ASKED, refunded: spent, maker_cost_usd: 0.35 })
  expect((await logsOf(who.person, 4))[0]).toMatchObject({ quota: spent, model_name: xai.model })
})

test('a longer video than asked for is charged once, as a part of the same call', async () => {
  maker.plays('long')
  const { who, id } = await begins(2 * ASKED, 2 * ASKED)
  await Promise.all([looks(4), looks(4)])
  const spent = 2 * ASKED
  expect(await figures(who)).toMatchObject({
    ...{ quota: 0, used_quota: spent, token_used: spent, token_remain: 0, token_status: TokenStatus.exhausted },
    ...{ usage_quota: spent, usage_calls: 1, request_count: 1 },
  })
  expect(await rowOf(id)).toMatchObject({ status: 'SUCCESS', charged: spent, refunded: 0 })
})

test('a report that cannot be true moves no money', async () => {
  maker.plays('absurd')
  const { who, id } = await begins(2 * ASKED, 2 * ASKED)
  await looks(4)
  expect(await figures(who)).toMatchObject({ quota: ASKED, used_quota: ASKED })
  expect(await rowOf(id)).toMatchObject({ status: 'SUCCESS', charged: ASKED })
})

test('a price by tokens is estimated, and settled by those that the maker counts', async () => {
  await setOption('TaskPrice', JSON.stringify({ [tokens.model]: { unit: '1k_tokens', price: 0.01 } }))
  cloud.plays('ok')
  const who = await spendingUser(50 * ASKED, 50 * ASKED)
  const ann = new Client(who.person, who.token.key)
  const id = await begun(ann, { model: tokens.model, ...tokens.request })
  // 1920 × 1080 at 24 frames a second for 10 seconds, by 1024.
  expect(await rowOf(id)).toMatchObject({ charged: 486 * 5000 })
  await looks(4)
  expect(await seen(ann, id)).toMatchObject({ status: 'completed' })
  expect((await figures(who)).used_quota).toBe(486 * 5000)
})

test('units that the maker counts beside the request are charged at the end, where they have a price', async () => {
  const price = { unit: '1k_tokens', price: 0.01, add: { web_search: 0.003 } }
  await setOption('TaskPrice', JSON.stringify({ [tokens.model]: price }))
  cloud.plays('ok')
  const who = await spendingUser(50 * ASKED, 50 * ASKED)
  const id = await begun(new Client(who.person, who.token.key), {
    ...{ model: tokens.model, ...tokens.request, seed: SEARCHES },
  })
  expect(await rowOf(id)).toMatchObject({ charged: 486 * 5000 })
  await looks(4)
  const spent = 486 * 5000 + 2 * 1500
  expect(await rowOf(id)).toMatchObject({ status: 'SUCCESS', charged: spent, refunded: 0 })
  expect((await figures(who)).used_quota).toBe(spent)
})
