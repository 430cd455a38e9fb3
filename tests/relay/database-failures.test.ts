// @engine both
/** A full disk, a locked or lost database, dead nodes and paused processes. */

import { Database } from 'bun:sqlite'
import { afterEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { SQL } from 'bun'
import { eq, sql } from 'drizzle-orm'
import { nodes } from '../../src/cluster/table.ts'
import { LogType } from '../../src/contracts/log.ts'
import { atomic, run as perform, rawQuery } from '../../src/db/atomic.ts'
import { db, sqlite } from '../../src/db/database.ts'
import { dialect } from '../../src/db/dialect.ts'
import { auditWallets } from '../../src/domain/wallet/audit.ts'
import { USER_LOCKS } from '../../src/domain/wallet/hold-alone.ts'
import { startWallet } from '../../src/domain/wallet/maintenance.ts'
import { open } from '../../src/domain/wallet/reservations.ts'
import { extend, release, settle } from '../../src/domain/wallet/service.ts'
import { ledger, reservations, settlements } from '../../src/domain/wallet/table.ts'
import { env } from '../../src/env.ts'
import { now, shiftClock } from '../../src/process/clock.ts'
import { logsOf } from '../support/app/logs.ts'
import { run, startServer } from '../support/app/server.ts'
import { makeSite } from '../support/app/site.ts'
import { client, RICH } from '../support/people/client.ts'
import { errorOf, readStream } from '../support/people/responses.ts'
import { billOf, codeOf as code, figures, hold, spendingUser } from '../support/people/spending-user.ts'
import { holding } from '../support/postgres/locks.ts'
import { until } from '../support/until.ts'
import { channelNow } from '../support/upstream/channel.ts'
import { chat, hangs, refuses } from '../support/upstream/chat-scripts.ts'
import { fakeUpstream } from '../support/upstream/openai.ts'
import { channelTo, startUpstream } from '../support/upstream/served-channel.ts'

afterEach(async () => expect((await auditWallets()).difference).toBeUndefined())

test('settlement marks are deleted after a day', async () => {
  const ann = await spendingUser(100)
  const seen = async (id: string) =>
    (await db.select().from(settlements).where(eq(settlements.request_id, id))).length === 1
  const [old, young] = [await hold(ann, 1), await hold(ann, 1)]
  await settle(old, await billOf(1))
  shiftClock(86_000)
  await settle(young, await billOf(1))
  shiftClock(500)
  await startWallet()
  while (await seen(old.request_id)) await Bun.sleep(5)
  expect(await seen(young.request_id)).toBe(true)
  shiftClock(-86_500)
})

if (dialect === 'sqlite')
  test('bills wait and calls are refused while the disk is full, and all are billed once afterwards', async () => {
    const ann = await spendingUser(100_000)
    const [pages] = sqlite!.query<{ page_count: number }, []>('PRAGMA page_count').all()
    sqlite!.run(`PRAGMA max_page_count = ${pages!.page_count}`)
    const log = { user_id: ann.person.id, type: LogType.consume, other: 'x'.repeat(10_000) }
    const calls = await Promise.all(Array.from({ length: 20 }, () => hold(ann, 10)))
    const bills = await Promise.all(calls.map(() => billOf(10, { log })))
    const booked = Promise.all(calls.map((call, index) => settle(call, bills[index]!)))
    while ((await code(hold(ann, 1).then(call => release(call)))) !== 'wallet.unavailable') await Bun.sleep(100)
    sqlite!.run('PRAGMA max_page_count = 1073741823')
    await booked
    expect(await figures(ann)).toMatchObject({ quota: 99_800, usage_calls: 20 })
  })

if (dialect === 'sqlite')
  test('streams flow and bills wait while another process locks the database', async () => {
    const upstream = await fakeUpstream()
    upstream.scripts('gpt-4o-mini', chat({ text: 'one two three' }))
    const server = await startServer()
    const key = await makeSite(server.url, upstream, 'gpt-4o-mini')
    const other = new Database(join(server.folder, 'tollgate.db'))
    other.run('BEGIN IMMEDIATE')

    const readers = await Promise.all(Array.from({ length: 10 }, () => openStream(server.url, key)))
    await Promise.all(readers.map(reader => readUntil(reader, 'three')))
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    other.run('COMMIT')
    await Promise.all(readers.map(reader => readUntil(reader, '[DONE]')))

    const billed = other.query<{ request_count: number }, []>('SELECT request_count FROM users').get()
    expect(billed).toEqual({ request_count: 10 })
    expect(await run(['audit'], { folder: server.folder })).toMatchObject({ code: 0 })
    other.close()
    await server.stop('SIGKILL')
    upstream.stop()
  })

async function openStream(url: string, key: string) {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o-mini', stream: true, messages: [{ role: 'user', content: 'count' }] }),
  })
  return response.body!.pipeThrough(new TextDecoderStream()).getReader()
}

/** @throws when the stream ends without this. */
async function readUntil(reader: { read(): Promise<{ done: boolean; value?: string }> }, wanted: string) {
  for (let text = ''; !text.includes(wanted); ) {
    const { done, value } = await reader.read()
    if (done) throw new Error(`the stream ended before ${wanted}`)
    text += value
  }
}

if (dialect === 'postgres')
  test('reservations of a dead node are released', async () => {
    const ann = await spendingUser(100)
    const row = { user_id: ann.person.id, token_id: 0, created_time: now() }
    await db.insert(nodes).values([
      { id: 'dead', seen_time: now() - 21, missed_time: now() - 9 },
      // Missed for the first time: the database may have been away.
      { id: 'quiet', seen_time: now() - 600, missed_time: 0 },
    ])
    await db.insert(reservations).values([
      { ...row, request_id: 'a', node: 'dead', quota: 100 },
      { ...row, request_id: 'b', node: 'quiet', quota: 30 },
    ])
    expect(await code(hold(ann, 1))).toBe('wallet.insufficient_user_quota')
    await startWallet()
    const call = await hold(ann, 70)
    expect(await code(hold(ann, 1))).toBe('wallet.insufficient_user_quota')
    await release(call)
    await db.delete(reservations).where(eq(reservations.node, 'quiet'))
  })

if (dialect === 'postgres')
  test('a reservation from a broken connection is released, one of a running call stays', async () => {
    const ann = await spendingUser(100)
    const call = await hold(ann, 10)
    await db.update(reservations).set({ created_time: now() - 61 })
    const [{ node } = { node: '' }] = await db.select().from(reservations)
    const orphan = { user_id: ann.person.id, token_id: 0, quota: 90, request_id: 'c', node, created_time: now() - 61 }
    await db.insert(reservations).values(orphan)
    await startWallet()
    expect((await db.select().from(reservations)).map(row => row.request_id)).toEqual([call.request_id])
    await release(call)
    expect(await db.select().from(reservations)).toEqual([])
  })

if (dialect === 'postgres')
  test('a paused process refuses no call, a stuck database does', async () => {
    const [ann, bob] = [await spendingUser(100), await spendingUser(100)]
    const other = await holding('lock table usage_hourly in exclusive mode')
    const booked = settle(await hold(ann, 10), await billOf(10))
    await other.waiting(1)
    // Longer than a commit may take.
    Bun.sleepSync(2100)
    const calls = [await hold(bob, 0)]
    await until(async () => (await code(hold(bob, 0).then(call => calls.push(call)))) === 'wallet.unavailable')
    await other.release()
    await Promise.all([booked, ...calls.map(call => release(call))])
    expect(await figures(ann)).toMatchObject({ quota: 90, usage_calls: 1 })
  })

if (dialect === 'postgres')
  test('connections that break at any moment lose no bill and double none', async () => {
    const ann = await spendingUser(100_000)
    const killer = new SQL(env.DATABASE_URL, { max: 1 })
    const kill = () => killer`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`
    let [ended, over] = [0, false]
    const work = async () => {
      while (!over) {
        const held = await hold(ann, 10).catch(refusal => void expect(refusal.code).toBe('wallet.unavailable'))
        if (!held) continue
        await settle(held, await billOf(10))
        ended++
      }
    }
    const working = Promise.all(Array.from({ length: 8 }, work))
    for (let round = 0; round < 15; round++) {
      const before = ended
      await until(() => ended > before)
      await kill()
    }
    over = true
    await working
    await killer.close()
    expect(await figures(ann)).toMatchObject({ quota: 100_000 - 10 * ended, usage_calls: ended })
  })

if (dialect === 'postgres')
  test('a stream that cannot extend its reservation ends with an error and a bill', async () => {
    const ann = await client()
    const grown = Promise.withResolvers<void>()
    const upstream = await startUpstream(async (call, answer) => {
      const say = (content: string) => answer.write(eventOf({ delta: { content } }))
      await answer.head(200, { 'content-type': 'text/event-stream' }, 'chunked')
      await say('one ')
      await grown.promise
      await say('word '.repeat(50))
      return hangs()(call, answer)
    })
    const channel = await channelTo(upstream)
    const answer = await ann.stream({ max_tokens: 10 })
    // Another node has the turn of the user, and keeps it.
    const other = await holding(`select pg_advisory_xact_lock(${USER_LOCKS + ann.person.id})`)
    grown.resolve()
    expect(await upstream.journal[0]!.ended).toBe('aborted')
    await other.release()
    expect((await readStream(answer)).error).toMatchObject({ code: 'unavailable' })
    expect(await upstream.journal[0]!.ended).toBe('aborted')
    const [entry] = await logsOf(ann.person)
    expect(entry).toMatchObject({ other: { stream_status: 'stopped', partial: true } })
    expect(await ann.balance()).toBe(RICH - entry.quota)
    expect(open.size).toBe(0)
    expect((await channelNow(channel.id)).cooldown).toBeUndefined()
  })

if (dialect === 'postgres')
  test('a call whose hold another node has freed takes it anew when it grows, where the balance allows', async () => {
    const ann = await spendingUser(100)
    const [one, two] = [await hold(ann, 40), await hold(ann, 40)]
    await db.delete(reservations).where(eq(reservations.user_id, ann.person.id))
    await extend(one, 30)
    const held = await db.select().from(reservations).where(eq(reservations.user_id, ann.person.id))
    expect(held.map(row => [row.request_id, row.quota])).toEqual([[one.request_id, 70]])
    expect(await code(extend(two, 1))).toBe('wallet.insufficient_user_quota')
    await Promise.all([settle(one, await billOf(60)), settle(two, await billOf(30))])
    expect(await figures(ann)).toMatchObject({ quota: 10, usage_calls: 2 })
    expect(await db.select().from(reservations).where(eq(reservations.user_id, ann.person.id))).toEqual([])
  })

if (dialect === 'postgres')
  test('a node that was taken for dead is a node again with its next hold', async () => {
    const ann = await spendingUser(100)
    await release(await hold(ann, 1))
    await db.delete(nodes)
    const call = await hold(ann, 10)
    expect(await db.select().from(nodes)).toHaveLength(1)
    await startWallet()
    expect(await db.select().from(reservations).where(eq(reservations.user_id, ann.person.id))).toHaveLength(1)
    await release(call)
  })

if (dialect === 'postgres')
  test('a failed call is refunded once when the connection breaks at the first and the second try', async () => {
    const model = 'gpt-4o-mini'
    const locked = Promise.withResolvers<void>()
    const upstream = await startUpstream(async (call, answer) => {
      await locked.promise
      return refuses(400)(call, answer)
    }, model)
    await channelTo(upstream, { models: model })
    const ann = await client()
    const answering = ann.chat({ model, max_tokens: 1000 })
    await until(() => upstream.journal.length)
    const held = () => db.select().from(reservations).where(eq(reservations.user_id, ann.person.id))
    expect(await held()).toHaveLength(1)
    const other = await holding('lock table reservations in exclusive mode')
    locked.resolve()
    for (let tries = 0; tries < 2; tries++) await until(other.breakWaiting)
    await other.waiting(1)
    await other.release()
    expect((await answering).status).toBe(400)
    await until(async () => !(await held()).length)
    expect(await ann.balance()).toBe(RICH)
    expect(await db.select().from(ledger).where(eq(ledger.user_id, ann.person.id))).toMatchObject([{ delta: RICH }])
  })

test('an internal error reveals nothing to the client', async () => {
  const ann = await client()
  const rename = (from: string, to: string) =>
    atomic(tx => perform(rawQuery(tx, sql.raw(`alter table ${from} rename to ${to}`))))
  await rename('tokens', 'mislaid')
  const broken = await errorOf(await ann.chat())
  await rename('mislaid', 'tokens')
  expect(broken).toMatchObject({ status: 500, code: 'internal', message: expect.not.stringMatching(/tokens|table/) })
})

if (dialect === 'postgres')
  test('a key lookup on a locked table answers 503, not 401', async () => {
    const ann = await client()
    const other = await holding('lock table tokens in access exclusive mode')
    const answering = ann.chat()
    await until(other.breakWaiting)
    const answer = await answering
    await other.release()
    expect(answer.headers.get('retry-after')).toBe('1')
    expect(await errorOf(answer)).toMatchObject({ status: 503, code: 'unavailable' })
    expect(await errorOf(await ann.chat({ model: 'nobody-serves-this' }))).toMatchObject({ code: 'model_not_found' })
  })

const eventOf = (choice: object) =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, ...choice }] })}\n\n`
