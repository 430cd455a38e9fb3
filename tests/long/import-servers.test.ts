// @tier long
/** `tollgate import` from MariaDB and PostgreSQL: the same as from a SQLite file. */
import { expect, test } from 'bun:test'
import { type Installation, setUpInstallation, startAt } from '../support/app/installation.ts'
import { databaseServers } from '../support/moving-in/database-servers.ts'
import { channel, fileOf, gateways, peopled } from '../support/moving-in/house.ts'
import { moved, rowsOf } from '../support/moving-in/moved.ts'

const placeOn = databaseServers()

/** What differs neither by key nor by clock. */
async function carriedTo(house: Installation) {
  const queries = {
    users:
      'id, username, password, role, status, email, quota, used_quota, aff_code, github_id, inviter_id, access_token_hash',
    tokens: 'id, user_id, name, key_hash, status, remain_quota, used_quota, unlimited_quota, expired_time',
    channels: 'id, type, name, models, status, used_quota, base_url, balance',
    ledger: 'user_id, kind, delta, reference',
    logs: 'user_id, type, channel, token_id, quota, content, other',
  }
  const read = Object.entries(queries).map(async ([table, columns]) => {
    const isOurs = table === 'users' ? 'where id <> 1' : ''
    return [table, await rowsOf(house, `select ${columns} from ${table} ${isOurs} order by 1, 2, 3`)]
  })
  return Object.fromEntries(await Promise.all(read))
}

const at = Math.floor(Date.now() / 1000)
const logs = Array.from({ length: 12_000 }, (_, index) => ({
  ...{ id: index + 1, user_id: 2, created_at: at - 100, type: 2, content: `entry ${index} 你好 ü`, quota: index % 7 },
  ...{ username: 'ann', model_name: 'gpt-4o', is_stream: index % 2 === 1, channel_id: 3, token_id: 3 },
}))

test.each(gateways.flatMap(gateway => (['mysql', 'postgres'] as const).map(engine => [gateway, engine] as const)))(
  '%s on %s: all arrives as from a file, and the source can only be read',
  async (gateway, engine) => {
    const rows = { ...peopled(gateway, [channel(3, 1, { balance: 1.5 })]), logs }
    const fromFile = await setUpInstallation()
    const fromServer = await setUpInstallation()
    const one = await moved(fromFile, fileOf(gateway, rows), '--logs', '30')
    const other = await moved(fromServer, await placeOn(engine, gateway, rows), '--logs', '30')
    const comparable = ({ address: _, time: __, out: ___, ...report }: typeof one) => report
    expect(comparable(other)).toEqual(comparable(one))
    expect(JSON.stringify(other)).not.toContain('p@ss')
    expect(await carriedTo(fromServer)).toEqual(await carriedTo(fromFile))
    await (await startAt(fromServer)).stop()
  },
)
