// @engine postgres
/** Keys that do not exist cost few queries, and are known at every node once they are made. */
import { expect, test } from 'bun:test'
import { KEY_LENGTH } from '../../src/contracts/token.ts'
import { randomKey } from '../../src/crypto/random-id.ts'
import { setUpInstallation, signInAt, startAt } from '../support/app/installation.ts'
import { callAt, callMany } from '../support/cluster/limited-nodes.ts'
import { sendWell } from '../support/people/member.ts'
import { until } from '../support/until.ts'

const place = await setUpInstallation()
const first = await startAt(place)
const root = await signInAt(first)
const second = await startAt(place)

/** Statistics of PostgreSQL come a second late. */
async function transactions(): Promise<number> {
  await Bun.sleep(1500)
  const [row] = (await place.read(
    'select xact_commit as count from pg_stat_database where datname = current_database()',
  )) as [{ count: unknown }]
  return Number(row.count)
}

test('10,000 calls with unknown keys cost few transactions', async () => {
  const before = await transactions()
  const same = { key: randomKey(KEY_LENGTH) }
  expect(await callMany(() => callAt(second.url, same), 5000, 100)).toEqual({ 401: 5000 })
  expect(await callMany(() => callAt(second.url, { key: randomKey(KEY_LENGTH) }), 5000, 200)).toEqual({ 401: 5000 })
  const cost = (await transactions()) - before
  expect(cost).toBeLessThan(1000)
}, 60_000)

/** Resolves when the other node has read all changes up to now. @param name of the site, not yet used */
async function readsAtSecond(name: string) {
  await sendWell(first.url, root, '/api/option/', { method: 'PUT', body: { key: 'SystemName', value: name } })
  const status = async () => (await fetch(`${second.url}/api/status`)).text()
  await until(async () => (await status()).includes(`"system_name":"${name}"`), name)
}

test('a key that was tried before it was made is known at the other node with the announcement', async () => {
  const { data } = await sendWell(first.url, root, '/api/token/', { body: { name: 'late', unlimited_quota: true } })
  await readsAtSecond('Reader')
  const own = `where id = ${Number(data.id)}`
  await place.change(`update tokens set key_hash = 'kept ' || key_hash ${own}`)
  expect(await callAt(second.url, data)).toBe(401)
  await place.change(`update tokens set key_hash = substr(key_hash, 6) ${own}`)
  expect(await callAt(second.url, data)).toBe(401)
  await place.change(`insert into changes (transaction, node, name, key, created_time)
    select pg_current_xact_id()::text::bigint, 'another', 'token-id', to_json(key_hash)::text, created_time from tokens ${own}`)
  // The call is refused for want of a channel.
  await until(async () => (await callAt(second.url, data)) !== 401, 'the key is known')
})
