// @engine both
/** `tollgate import`: people, API keys and channels of new-api, one-api and Veloera. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setUpInstallation, signInAt, startAt, startupErrorOf } from '../support/app/installation.ts'
import { newFolder, run, type Server } from '../support/app/server.ts'
import { ACCESS_TOKEN, ANN, channel, fileOf, gateways, KEYS, OLD_ROOT, peopled } from '../support/moving-in/house.ts'
import { everythingIn, moved, rowsOf } from '../support/moving-in/moved.ts'

const modelsStatus = async ({ url }: Server, key: string) =>
  (await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer sk-${key}` } })).status

const CARRIED = [
  { id: 2, username: 'ann', role: 1, quota: 123_456, used_quota: 654, request_count: 12, email: '' },
  { id: 3, username: 'bob', role: 10, quota: -42, used_quota: 0, request_count: 0, email: '' },
  { id: 4, username: 'cat', role: 1, quota: 2_147_483_647, used_quota: 0, request_count: 0, email: '' },
  { id: 5, username: 'dan', role: 1, quota: 5000, used_quota: 0, request_count: 0, email: 'shared@example.com' },
  { id: 7, username: 'eve', role: 1, quota: 9, used_quota: 0, request_count: 0, email: '' },
]

test.each(gateways)('%s: names, balances and keys are carried with their ids, and work at once', async gateway => {
  const place = await setUpInstallation()
  const channels = [channel(3, 1), channel(4, gateway === 'one-api' ? 36 : 43, { status: 3 })]
  const report = await moved(place, fileOf(gateway, peopled(gateway, channels)))
  expect(report.out).toContain('\naudit: clean (')
  expect(report).toMatchObject({ product: gateway.replace('-2025', ''), keeps_ids: true, is_dry: false })
  const kept = 100_000_000 + 123_456 - 42 + 2_147_483_647 + 5000 + 9
  expect(report.balances).toEqual({ found: String(kept + 777), carried: String(kept), before: '0', left: '777' })
  const rows = await rowsOf(
    place,
    `select id, username, role, quota, used_quota, request_count, email from users where deleted_time is null
      and id between 2 and 9 order by id`,
  )
  expect(rows).toMatchObject(CARRIED)
  const root = `select username, role, quota, used_quota from users where username = 'root-2'`
  expect(await rowsOf(place, root)).toMatchObject([{ role: 10, quota: 100_000_000, used_quota: 7 }])
  const stored = await rowsOf(place, 'select id, type, status, used_quota, key_sealed from channels order by id')
  expect(stored).toMatchObject([
    { id: 3, type: 1, status: 1, used_quota: 300 },
    { id: 4, type: 43, status: 3, used_quota: 400 },
  ])
  expect(JSON.stringify(stored)).not.toContain('sk-3')

  const server = await startAt(place)
  for (const [key, status] of Object.entries({ root: 200, ann: 200, own: 200, deleted: 401, ofDeleted: 401 } as const))
    expect([key, await modelsStatus(server, KEYS[key as keyof typeof KEYS])]).toEqual([key, status])
  const byToken = { authorization: `Bearer ${ACCESS_TOKEN}`, 'new-api-user': '2' }
  const self = await fetch(`${server.url}/api/user/self`, { headers: byToken })
  expect(await self.json()).toMatchObject({ success: true, data: { username: 'ann', quota: 123_456, used_quota: 654 } })
  expect((await signInAt(server, { username: 'ann', password: 'not hers' })).success).toBe(false)
  expect((await signInAt(server, ANN)).success).toBe(true)
  expect((await signInAt(server, { ...OLD_ROOT, username: 'root-2' })).success).toBe(true)
  const hashes = await rowsOf(place, "select password from users where username = 'ann'")
  expect(hashes).toMatchObject([{ password: expect.stringMatching(/^\$argon2id\$/) }])
  expect((await signInAt(server, ANN)).success).toBe(true)
})

test('a dry run writes its report and nothing else, without secrets', async () => {
  const place = await setUpInstallation()
  const before = await everythingIn(place)
  const file = fileOf('veloera', peopled('veloera', [channel(3, 1)]))
  const bytes = readFileSync(file)
  const { out, ...report } = await moved(place, file, '--dry-run')
  expect(await everythingIn(place)).toEqual(before)
  expect(readFileSync(file).equals(bytes)).toBe(true)
  expect(report).toMatchObject({ is_dry: true, counts: { user: { found: 7, carried: 7, before: 0 } } })
  expect(report.counts.token).toEqual({ found: 7, carried: 4, before: 0 })
  for (const secret of [...Object.values(KEYS), ACCESS_TOKEN, '$2a$', 'sk-3'])
    expect(JSON.stringify(report) + out).not.toContain(secret)
  const folder = newFolder()
  await run(['import', file, '--report', folder, '--dry-run'], place)
  const page = readFileSync(join(folder, 'tollgate-import.html'), 'utf8')
  expect(page).toContain('The root root is an administrator here')
  expect(page).toContain('The name root is taken: the user is root-2')
  expect(page).not.toContain('moving.')
})

test('a second run carries what is new, and resets nothing of the days since', async () => {
  const place = await setUpInstallation()
  const rows = peopled('new-api', [channel(3, 1)])
  await moved(place, fileOf('new-api', rows))
  await place.change("update users set username = 'ann-new', password = 'x' where id = 2")
  await place.change("update tokens set name = 'renamed' where id = 3")
  const before = await everythingIn(place)
  const again = await moved(place, fileOf('new-api', rows))
  expect(await everythingIn(place)).toEqual(before)
  expect(again.counts.user).toEqual({ found: 7, carried: 0, before: 7 })
  expect(again.balances).toMatchObject({ carried: '0', left: '777' })
  const zoe = { ...rows.users![4]!, id: 12, username: 'zoe', aff_code: 'ZOE1', quota: 3, email: '' }
  const ann = { ...rows.users![1]!, quota: 1 }
  const nil = { ...zoe, id: 13, username: 'nil', aff_code: 'NIL1', quota: 0 }
  const later = { ...rows, users: [...rows.users!.filter(({ id }) => id !== 2), ann, zoe, nil] }
  expect((await moved(place, fileOf('new-api', later))).balances).toMatchObject({ carried: '3' })
  const balances = await rowsOf(place, 'select id, username, quota from users where id in (2, 12) order by id')
  expect(balances).toMatchObject([
    { id: 2, username: 'ann-new', quota: 123_456 },
    { id: 12, username: 'zoe', quota: 3 },
  ])
  // Nothing is no credit.
  expect(await rowsOf(place, 'select user_id, delta from ledger where user_id in (12, 13)')).toMatchObject([
    { user_id: 12, delta: 3 },
  ])
})

test('a house in use gets new ids, and one installation is not taken for another', async () => {
  const place = await setUpInstallation()
  await moved(place, fileOf('new-api', peopled('new-api', [channel(3, 1)])))
  const other = peopled('veloera', [channel(3, 1, { name: 'second' })])
  const report = await moved(place, fileOf('veloera', other))
  expect(report).toMatchObject({
    keeps_ids: false,
    counts: { user: { found: 7, carried: 6 }, channel: { carried: 1 } },
  })
  expect(report.totals['moving.token_key_taken']).toBe(4)
  const names = await rowsOf(place, "select username, quota from users where username like 'ann%' order by username")
  expect(names).toMatchObject([
    { username: 'ann', quota: 123_456 },
    { username: 'ann-2', quota: 123_456 },
  ])
  const strangers = { ...other, users: other.users!.map(row => ({ ...row, aff_code: `X${row.id}` })) }
  expect(await startupErrorOf(['import', fileOf('veloera', strangers)], place)).toContain('--source NAME')
})

const refused: [why: string, from: () => string, message: string][] = [
  ['no file', () => join(newFolder(), 'none.db'), 'there is no file'],
  ['a file of another kind', () => import.meta.path, 'file is not a database'],
  ['ClickHouse', () => 'clickhouse://host/logs', 'ClickHouse holds logs only'],
]

test.each(refused)('%s is refused with the reason', async (_, from, message) => {
  expect(await startupErrorOf(['import', from()], await setUpInstallation())).toContain(message)
})

test('wrong arguments, and an installation that is not set up, are refused', async () => {
  const file = fileOf('one-api', peopled('one-api'))
  const place = await setUpInstallation()
  for (const args of [
    [],
    [file, 'more'],
    [file, '--prices', 'mine'],
    [file, '--logs', 'x'],
    [file, '--source', '../x'],
  ])
    expect(await startupErrorOf(['import', ...args], place)).toContain('usage: tollgate import')
})
