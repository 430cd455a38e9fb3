/** `tollgate import`: what is wrong in old databases stands in the report of the dry run, and nothing is half written. */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import type { MoveReport } from '../../src/contracts/moving-in.ts'
import { type Installation, setUpInstallation, startAt, startupErrorOf } from '../support/app/installation.ts'
import { ACCESS_TOKEN, channel, fileOf, KEYS, peopled } from '../support/moving-in/house.ts'
import { everythingIn, moved, rowsOf } from '../support/moving-in/moved.ts'
import type { Gateway, Row, Rows } from '../support/moving-in/schemas.ts'

interface BadDatabase {
  gateway: Gateway
  rows: Rows
  /** Columns that it lacks. */
  drop?: string[]
  /** What is done to it afterwards. */
  damage?: string[]
  /** Of the report. */
  totals?: MoveReport['totals']
  carried?: Partial<Record<'user' | 'token' | 'channel' | 'code', number>>
  balances?: Partial<MoveReport['balances']>
  /** What stands here afterwards. */
  stored?: [query: string, rows: Record<string, unknown>[]]
  /** Requests that work afterwards. */
  works?(url: string): Promise<void>
}

const [, ann, bob, cat, , eve] = peopled('new-api-2025').users!
const withUsers = (gateway: Gateway, users: Row[], channels: Row[] = []): Rows => ({
  ...peopled(gateway, channels),
  users,
})
const bytes = (...codes: number[]) => new Uint8Array(codes)

const isOpen = async (url: string, key: string) =>
  expect((await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer sk-${key}` } })).status).toBe(200)

const sharers = Array.from({ length: 100 }, (_, index): Row => {
  const id = index + 1
  return {
    ...{ id, username: `user${id}`, password: '', role: 1, status: id === 100 ? 2 : 1, email: 'Same@Example.com' },
    ...{ quota: id, used_quota: 0, request_count: 0, group: 'default', aff_code: `A${id}`, github_id: '' },
  }
})

const bad: Record<string, BadDatabase> = {
  'missing columns': {
    gateway: 'new-api-2025',
    rows: withUsers('new-api-2025', [ann!], [channel(3, 1)]),
    drop: ['setting', 'inviter_id', 'request_count', 'linux_do_id', 'allow_ips', 'group', 'auto_ban'],
    totals: { 'moving.column_missing': 4 },
    carried: { user: 1, token: 2, channel: 1 },
    stored: [
      `select u.request_count, u."group", c."group" as channel_group, c.auto_ban, t.allow_ips
         from users u join tokens t on t.user_id = u.id join channels c on c.id = 3 where t.id = 3`,
      [{ request_count: 0, group: 'default', channel_group: 'default', auto_ban: 1, allow_ips: '' }],
    ],
    works: url => isOpen(url, KEYS.ann),
  },
  'padded keys': {
    gateway: 'new-api-2025',
    rows: {
      ...withUsers('new-api-2025', [ann!], [channel(3, 1, { models: 'gpt-4o ,gpt-4o-mini   ' })]),
      redemptions: [{ id: 1, user_id: 1, key: 'a-code', status: 1, name: 'code', quota: 5, created_time: 5 }],
    },
    damage: [
      "update tokens set key = key || '      '",
      "update redemptions set key = key || '      '",
      "update users set access_token = access_token || '      '",
    ],
    carried: { user: 1, token: 2, code: 1 },
    stored: ['select models from channels', [{ models: 'gpt-4o,gpt-4o-mini' }]],
    async works(url) {
      await isOpen(url, KEYS.ann)
      const headers = { authorization: `Bearer ${ACCESS_TOKEN}`, 'new-api-user': '2' }
      const init = { method: 'POST', headers, body: JSON.stringify({ key: 'a-code' }) }
      expect(await (await fetch(`${url}/api/user/topup`, init)).json()).toMatchObject({ success: true })
    },
  },
  'broken UTF-8': {
    gateway: 'veloera',
    rows: {
      ...withUsers('veloera', [ann!, { ...eve!, username: bytes(0x65, 0x76, 0xff, 0x65) }]),
      channels: [channel(3, 1, { name: bytes(0xc3, 0x28) })],
    },
    damage: ["update tokens set name = cast(x'6bff' as text) where id = 3"],
    totals: { 'moving.text_broken': 3 },
    carried: { user: 2, token: 2, channel: 1 },
    stored: [
      `select u.username, t.name, c.name as channel from users u join tokens t on t.id = 3 join channels c on c.id = 3
         where u.id = 7`,
      [{ username: 'ev\ufffde', name: 'k\ufffd', channel: '\ufffd(' }],
    ],
  },
  'negative quotas': {
    gateway: 'one-api',
    rows: withUsers('one-api', [
      { ...ann!, quota: -7 },
      { ...bob!, quota: -42, used_quota: -3, request_count: -1 },
    ]),
    balances: { found: '-49', carried: '-49' },
    carried: { user: 2, token: 3 },
    stored: [
      `select u.quota, u.used_quota, u.request_count, t.remain_quota, t.unlimited_quota
         from users u join tokens t on t.user_id = u.id where u.id = 3`,
      [{ quota: -42, used_quota: 0, request_count: 0, remain_quota: -5, unlimited_quota: 0 }],
    ],
  },
  '100 users with one e-mail': {
    gateway: 'one-api',
    rows: { users: sharers },
    totals: { 'moving.email_shared': 99 },
    carried: { user: 100 },
    stored: [
      "select username, email from users where email <> ''",
      [{ username: 'user99', email: 'same@example.com' }],
    ],
  },
  'a channel type 57': {
    gateway: 'new-api',
    rows: peopled('new-api', [channel(3, 57), channel(4, 1)]),
    totals: { 'moving.channel_type': 1 },
    carried: { channel: 1 },
    stored: ['select id, type from channels', [{ id: 4, type: 1 }]],
  },
  'quota wrapped at 2^31': {
    gateway: 'new-api',
    rows: withUsers('new-api', [{ ...ann!, quota: -2_147_483_648 }, { ...eve!, quota: -1_500_000_000 }, cat!]),
    totals: { 'moving.quota_wrapped': 3 },
    balances: { found: '-1500000001', carried: '-1500000001' },
    carried: { user: 3 },
    stored: [
      'select id, quota from users where id > 1 order by id',
      [
        { id: 2, quota: -2_147_483_648 },
        { id: 4, quota: 2_147_483_647 },
        { id: 7, quota: -1_500_000_000 },
      ],
    ],
  },
}

test.each(Object.entries(bad))('%s: the dry run reports what the import then does, whole', async (_, database) => {
  const { gateway, rows, drop, damage = [], totals = {}, carried = {}, balances = {}, stored, works } = database
  const place = await setUpInstallation()
  const file = fileOf(gateway, rows, { drop })
  const old = new Database(file)
  for (const statement of damage) old.run(statement)
  old.close()
  const before = await everythingIn(place)
  const dry = await moved(place, file, '--dry-run')
  expect(await everythingIn(place)).toEqual(before)
  const { out, ...report } = await moved(place, file)
  expect(out).toContain('\naudit: clean (')
  for (const of of [dry, report]) {
    expect(of.totals).toMatchObject(totals)
    expect(of.balances).toMatchObject(balances)
    for (const [noun, count] of Object.entries(carried))
      expect([noun, of.counts[noun as 'user'].carried]).toEqual([noun, count])
  }
  expect([dry.totals, dry.notes]).toEqual([report.totals, report.notes])
  if (stored) expect(flagsAsNumbers(await rowsOf(place, stored[0]))).toEqual(stored[1])
  if (works) await worksAt(place, works)
})

const flagsAsNumbers = (rows: Record<string, unknown>[]) =>
  rows.map(row =>
    Object.fromEntries(Object.entries(row).map(([name, of]) => [name, typeof of === 'boolean' ? Number(of) : of])),
  )

async function worksAt(place: Installation, works: NonNullable<BadDatabase['works']>) {
  const server = await startAt(place)
  await works(server.url)
  await server.stop()
}

const forks: [why: string, gateway: Gateway, drop: string[], message: string][] = [
  ['its own tables of limits', 'one-api', ['config', 'subnet'], 'is no database of new-api, one-api or Veloera'],
  ['no switch of models', 'new-api', ['model_limits_enabled'], 'looked for channels.model_prefix'],
  ['no balances of keys', 'one-api', ['remain_quota'], 'looked for tokens.remain_quota'],
]

test.each(forks)(
  'a fork with %s is refused by the columns that were looked for, also by a dry run',
  async (...fork) => {
    const [, gateway, drop, message] = fork
    const place = await setUpInstallation()
    const file = fileOf(gateway, peopled(gateway), { drop })
    const before = await everythingIn(place)
    for (const args of [[file, '--dry-run'], [file]])
      expect(await startupErrorOf(['import', ...args], place)).toContain(message)
    expect(await everythingIn(place)).toEqual(before)
  },
)
