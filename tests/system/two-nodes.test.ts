// @engine postgres
/** Two nodes on one database: what may happen once happens once, whichever node is asked. */
import { afterAll, afterEach, expect, test } from 'bun:test'
import { newInstallation, setUpAt, setUpInstallation, signInAt, startAt } from '../support/app/installation.ts'
import type { Server } from '../support/app/server.ts'
import { checkInvariants } from '../support/cluster/invariants.ts'
import { openShopAt, UNIT } from '../support/epay/remote-shop.ts'
import { Barrier } from '../support/money/barrier.ts'
import { addMembers, type Member, send, sendWell } from '../support/people/member.ts'
import { inTier } from '../support/tier.ts'
import { fakeUpstream } from '../support/upstream/openai.ts'

const ROUNDS = inTier({ short: 8, long: 50 })
/** Requests at once in the first round. */
const CROWD = 100
const FEW = 12
const REBATE_PERCENT = 10
const MODEL = 'gpt-4o-mini'
const MAX_TOKENS = 9999
const USAGE = { prompt_tokens: 1, completion_tokens: MAX_TOKENS, total_tokens: MAX_TOKENS + 1 }
/** At 1 quota a token. */
const COST = MAX_TOKENS + 1
/** Pays for what calls reserve beyond their cost, and for no further call. */
const SPARE = 5000

const place = await setUpInstallation()
const first = await startAt(place)
const root = await signInAt(first)
const shop = await openShopAt(first.url, root)
const prices = { ModelRatio: JSON.stringify({ [MODEL]: 1 }), CompletionRatio: JSON.stringify({ [MODEL]: 1 }) }
const options = { RebateEnabled: true, RebatePercentage: REBATE_PERCENT, CheckInEnabled: true, CheckInQuota: 5 }
for (const [key, value] of Object.entries({ ...options, CheckInMaxQuota: 50, ...prices }))
  await sendWell(first.url, root, '/api/option/', { method: 'PUT', body: { key, value } })
const upstream = await fakeUpstream()
afterAll(() => upstream.stop())
const barrier = new Barrier()
upstream.scripts(MODEL, barrier.script(USAGE))
const channel = { name: 'mock', type: 1, key: 'sk-upstream', base_url: upstream.url, models: MODEL }
await sendWell(first.url, root, '/api/channel/', { body: channel })
// Started last: it knows the options from its start.
const second = await startAt(place)
const crowd = await addMembers(place, 'member', CROWD)
afterEach(() => checkInvariants(place))

/** Works at both nodes in turn, all at once. */
const overBoth = <T>(count: number, work: (url: string, index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work([first, second][index % 2]!.url, index)))

const sizeOf = (round: number) => (round ? FEW : CROWD)

const balanceOf = async (member: Member) =>
  (await sendWell(second.url, member, '/api/user/self', { method: 'GET' })).data.quota as number

const creditedTo = async (those: Member[]) =>
  (await Promise.all(those.map(balanceOf))).reduce((sum, quota) => sum + quota, 0)

const countOf = async (rows: string): Promise<number> =>
  Number(((await place.read(`select count(*) as count from ${rows}`)) as { count: unknown }[])[0]!.count)

async function newCode(fields: object): Promise<string> {
  const { data } = await sendWell(first.url, root, '/api/redemption/', { body: { name: 'code', ...fields } })
  return data[0]
}

const ratios = async () =>
  JSON.parse(
    ((await place.read("select value from options where key = 'ModelRatio'")) as { value: string }[])[0]!.value,
  )

const csrfAt = async (url: string) => {
  const page = await fetch(`${url}/admin/settings?tab=operation&new`, { headers: root.headers })
  return /name="csrf" value="([^"]+)"/.exec(await page.text())![1]!
}

async function savePrice(url: string, csrf: string, name: string): Promise<string> {
  const body = new URLSearchParams({ csrf, name, mode: 'ratio', model_ratio: '3' })
  const response = await fetch(`${url}/admin/settings/prices/models`, {
    ...{ method: 'POST', body, redirect: 'manual', headers: { ...root.headers, 'accept-language': 'en' } },
  })
  if (response.status === 303) return 'saved'
  return (await response.text()).includes('Model ratio has been changed') ? 'refused' : String(response.status)
}

const redeemers = async (key: string, count: number) => {
  const answers = await overBoth(count, (url, index) => send(url, crowd[index]!, '/api/user/topup', { body: { key } }))
  return crowd.filter((_, index) => answers[index]?.success)
}

test(`one callback sent to both nodes is one credit and one rebate, in ${ROUNDS} rounds`, async () => {
  const [payer, inviter] = (await addMembers(place, 'payer', 2)) as [Member, Member]
  await place.change(`update users set inviter_id = ${inviter.id} where id = ${payer.id}`)
  for (let round = 0; round < ROUNDS; round++) {
    const callback = shop.callbackOf(await shop.order(first.url, payer, 1))
    const answers = await overBoth(sizeOf(round), async url => (await fetch(url + callback)).text())
    expect([round, ...new Set(answers)]).toEqual([round, 'success'])
  }
  const rebate = (UNIT * REBATE_PERCENT) / 100
  expect([await balanceOf(payer), await balanceOf(inviter)]).toEqual([ROUNDS * UNIT, ROUNDS * rebate])
  expect(await countOf(`rebates where payer_id = ${payer.id}`)).toBe(ROUNDS)
})

test(`one of a crowd at both nodes redeems a plain code, in ${ROUNDS} rounds`, async () => {
  const before = await creditedTo(crowd)
  for (let round = 0; round < ROUNDS; round++) {
    const winners = await redeemers(await newCode({ quota: 7 }), sizeOf(round))
    expect([round, winners.length]).toEqual([round, 1])
  }
  expect((await creditedTo(crowd)) - before).toBe(ROUNDS * 7)
})

test('seven of a crowd at both nodes redeem a gift for seven', async () => {
  const before = await creditedTo(crowd)
  const key = await newCode({ quota: 3, is_gift: true, max_uses: 7 })
  expect(await redeemers(key, CROWD)).toHaveLength(7)
  expect((await creditedTo(crowd)) - before).toBe(7 * 3)
})

test(`one of the check-ins of a user at both nodes is credited, in ${ROUNDS} rounds`, async () => {
  const visitors = await addMembers(place, 'visitor', ROUNDS)
  for (const [round, visitor] of visitors.entries()) {
    const answers = await overBoth(sizeOf(round), url => send(url, visitor, '/api/user/check_in'))
    const rewards = answers.flatMap(({ success, data }) => (success ? [data.quota] : []))
    expect([round, rewards.length, rewards[0] >= 5 && rewards[0] <= 50]).toEqual([round, 1, true])
    expect(await balanceOf(visitor)).toBe(rewards[0])
  }
})

test(`a price that is saved at both nodes in the same moment is never lost without a refusal, in ${ROUNDS} rounds`, async () => {
  const known = { [MODEL]: 1 }
  const setKnown = (url: string) =>
    sendWell(url, root, '/api/option/', { method: 'PUT', body: { key: 'ModelRatio', value: JSON.stringify(known) } })
  await overBoth(2, setKnown)
  const csrf = await csrfAt(first.url)
  for (let round = 0; round < ROUNDS; round++) {
    const saved = await overBoth(2, (url, index) => savePrice(url, csrf, `model-${index}`))
    const winners = saved.flatMap((outcome, index) => (outcome === 'saved' ? [`model-${index}`] : []))
    // Both where one node has learnt of the other's price before it saved its own.
    expect([round, ['refused saved', 'saved saved'].includes(saved.toSorted().join(' '))]).toEqual([round, true])
    expect([round, await ratios()]).toEqual([
      round,
      { ...known, ...Object.fromEntries(winners.map(name => [name, 3])) },
    ])
    // At each node that has the new price: it would refuse the name.
    for (const [index, node] of [first, second].entries()) if (saved[index] === 'saved') await setKnown(node.url)
  }
})

test(`a transfer of all earnings at both nodes happens once, with one key or with none, in ${ROUNDS} rounds`, async () => {
  const earners = await addMembers(place, 'earner', ROUNDS, UNIT)
  for (const [round, earner] of earners.entries()) {
    const key = round % 2 ? 'all' : undefined
    const move = (url: string) => send(url, earner, '/api/user/aff_transfer', { body: { quota: UNIT }, key })
    const moved = (await overBoth(sizeOf(round), move)).filter(({ success }) => success)
    expect([round, moved.length, await balanceOf(earner)]).toEqual([round, key ? sizeOf(round) : 1, UNIT])
  }
})

/** @returns the API key */
async function keyOf(member: Member, quota: number): Promise<string> {
  await sendWell(first.url, root, '/api/user/', { method: 'PUT', body: { id: member.id, quota_delta: quota } })
  const { data } = await sendWell(first.url, member, '/api/token/', { body: { name: 'key', unlimited_quota: true } })
  return data.key
}

test.each([
  [10, 200, 5],
  // Other gateways hold nothing for a user with more than 100 times the estimate.
  [150, 400, 1],
])(
  'a balance for %i calls pays for no more of %i at once over both nodes, in %i rounds',
  async (paid, calls, rounds) => {
    // What is left is not spent on a shorter answer.
    const least = { key: 'MinAffordableOutput', value: MAX_TOKENS }
    await overBoth(2, url => sendWell(url, root, '/api/option/', { method: 'PUT', body: least }))
    const question = { model: MODEL, content: 'hello', max_tokens: MAX_TOKENS }
    for (const [round, spender] of (await addMembers(place, `spender${paid}x`, rounds)).entries()) {
      const key = await keyOf(spender, paid * COST + SPARE)
      const { statuses, arrived } = await barrier.meet(calls, [first.url, second.url], key, question)
      const answered = statuses.filter(status => status === 200).length
      expect([round, arrived, answered > 0, answered <= paid]).toEqual([round, answered, true, true])
      expect([round, await balanceOf(spender)]).toEqual([round, (paid - answered) * COST + SPARE])
    }
  },
)

test('both nodes know of each other’s set-up, sign-ins and sign-outs at once', async () => {
  const empty = await newInstallation()
  const one = await startAt(empty)
  const other = await startAt(empty)
  const isSetUp = async ({ url }: Server) =>
    ((await (await fetch(`${url}/api/setup`)).json()) as { data: { status: boolean } }).data.status
  expect([await isSetUp(one), await isSetUp(other)]).toEqual([false, false])
  await setUpAt(one)
  expect([await isSetUp(one), await isSetUp(other)]).toEqual([true, true])

  const { headers } = await signInAt(one)
  const self = async ({ url }: Server) => (await fetch(`${url}/api/user/self`, { headers })).status
  expect([await self(one), await self(other)]).toEqual([200, 200])
  await fetch(`${other.url}/api/user/logout`, { headers })
  expect([await self(one), await self(other)]).toEqual([401, 401])
})
