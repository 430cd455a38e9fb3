// @engine postgres
// @waits
/** Replies to what was committed that are lost on their way: what is done is found by its id, and done once. */
import { afterAll, afterEach, expect, test } from 'bun:test'
import { newInstallation, signInAt, startAt } from '../support/app/installation.ts'
import { ask, makeSite } from '../support/app/site.ts'
import { checkInvariants } from '../support/cluster/invariants.ts'
import { BILLS_REPLY, COMMIT_REPLY, INSERT_REPLY, TcpProxy } from '../support/cluster/tcp-proxy.ts'
import { addMembers, type Member, send, sendWell } from '../support/people/member.ts'
import { until } from '../support/until.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { fakeUpstream } from '../support/upstream/openai.ts'

const MODEL = 'gpt-4o-mini'
const LOST = Number(process.env.LOST_COMMITS ?? 100)
const CALLERS = 8

const upstream = await fakeUpstream()
afterAll(() => upstream.stop())
upstream.scripts(MODEL, chat())
const place = await newInstallation()
afterEach(() => checkInvariants(place))
const proxy = await TcpProxy.before(place.env.DATABASE_URL!)
const server = await startAt(place, { env: { ...place.env, DATABASE_URL: proxy.through() } })
const key = await makeSite(server.url, upstream, MODEL)

const countOf = async (rows: string) =>
  Number(((await place.read(`select count(*) as count from ${rows}`)) as { count: unknown }[])[0]!.count)

test(`${LOST} lost replies to commits leave no hold and bill no call twice`, async () => {
  const statuses: number[] = []
  let isOver = false
  const caller = async (_: unknown, index: number) => {
    while (!isOver) {
      const { status, whole } = await ask(server.url, key, { model: MODEL, content: 'Hi', stream: index % 2 === 0 })
      expect(whole).toBe(status === 200)
      statuses.push(status)
    }
  }
  const calling = Promise.all(Array.from({ length: CALLERS }, caller))
  for (let lost = 0; lost < LOST; lost++) {
    // Both commit by their one round trip, without a COMMIT.
    proxy.loseReplies(lost % 2 ? INSERT_REPLY : BILLS_REPLY)
    await until(() => proxy.lost > lost)
  }
  isOver = true
  await calling
  expect(statuses.filter(status => status !== 200 && status !== 503)).toEqual([])
  const served = statuses.filter(status => status === 200).length
  expect(await countOf('logs where type = 2')).toBe(served)
  expect(await countOf('settlements')).toBe(served)
  // The next try of a call finds the hold whose commit had no answer.
  expect(statuses.filter(status => status === 503).length).toBeLessThan(statuses.length / 20)
  await until(async () => (await countOf('reservations')) === 0, 'nothing is held')
})

test('a redemption whose COMMIT was not answered is repeated with its key and credited once', async () => {
  const root = await signInAt(server)
  const [member] = (await addMembers(place, 'member', 1)) as [Member]
  for (let round = 0; round < 5; round++) {
    const { data } = await sendWell(server.url, root, '/api/redemption/', { body: { name: 'code', quota: 7 } })
    const redeem = () => send(server.url, member, '/api/user/topup', { body: { key: data[0] }, key: `redeem-${round}` })
    const before = proxy.lost
    proxy.loseReplies(COMMIT_REPLY)
    let answer = await redeem()
    await until(() => proxy.lost > before)
    while (!answer.success) answer = await redeem()
    expect(await redeem()).toMatchObject({ success: true })
  }
  expect(await countOf(`ledger where kind = 'redeem' and user_id = ${member.id}`)).toBe(5)
})
