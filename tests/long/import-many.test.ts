/**
 * `tollgate import` of a large gateway: 10,000 users with 100,000 API keys within three minutes, with a million log
 * entries within ten, from each engine. `IMPORT_LOGS=10000` takes fewer entries, `IMPORT_FROM=mysql` one engine.
 */
import { expect, test } from 'bun:test'
import { type Installation, setUpInstallation } from '../support/app/installation.ts'
import { newFolder, program } from '../support/app/server.ts'
import { databaseServers } from '../support/moving-in/database-servers.ts'
import { peopled } from '../support/moving-in/house.ts'
import { rowsOf } from '../support/moving-in/moved.ts'
import type { ForeignEngine } from '../support/moving-in/schemas.ts'

const USERS = 10_000
const TOKENS = 100_000
const LOGS = Number(process.env.IMPORT_LOGS ?? 1_000_000)
const engines = (process.env.IMPORT_FROM?.split(',') ?? ['sqlite', 'mysql', 'postgres']) as ForeignEngine[]
const PEOPLE_SECONDS_MAX = 180
const ALL_SECONDS_MAX = 600
const MEMORY_MAX_MB = 400

const placeOn = databaseServers()

/** What differs between the engines: rows numbered `i` from 1 on, and a random text. */
const dialects: Record<ForeignEngine, { series(rows: number): string; random: string }> = {
  sqlite: {
    series: rows =>
      `(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows}) select i from n)`,
    random: 'lower(hex(randomblob(24)))',
  },
  mysql: {
    series: rows => `(select seq as i from seq_1_to_${rows})`,
    random: 'md5(rand()) || md5(rand())',
  },
  postgres: {
    series: rows => `(select i from generate_series(1, ${rows}) as s(i))`,
    random: 'md5(random()::text) || md5(random()::text)',
  },
}

/** Ids of users from 100 on, of tokens from 1000 on; the first user of `peopled` is the root there. */
function largeOn(engine: ForeignEngine): Promise<string> {
  const [root] = peopled('new-api').users!
  const { series, random } = dialects[engine]
  const now = Math.floor(Date.now() / 1000)
  return placeOn(engine, 'new-api', { users: [root!] }, [
    `insert into users (id, username, password, display_name, role, status, email, quota, used_quota, request_count,
        "group", aff_code, inviter_id)
      select 99 + i, 'user' || i, '${root!.password}', 'User ' || i, 1, 1, 'user' || i || '@example.com', i * 7919,
        i * 31, i % 900, 'default', 'A' || i, case when i > 9 then 99 + (i - i % 9) / 9 else 0 end
      from ${series(USERS)} as n`,
    `insert into tokens (id, user_id, "key", status, name, created_time, accessed_time, expired_time, remain_quota,
        unlimited_quota, used_quota, model_limits_enabled, model_limits)
      select 999 + i, 100 + i % ${USERS}, substr(${random}, 1, 48), 1, 'key ' || i, 1700000000, 1700000000 + i, -1, i,
        i % 2 = 1, i % 700, 1 = 0, '' from ${series(TOKENS)} as n`,
    `insert into logs (id, user_id, created_at, type, content, username, token_name, model_name, quota, prompt_tokens,
        completion_tokens, is_stream, channel_id, use_time, token_id, "group", other)
      select i, 100 + i % ${USERS}, ${now} - (${LOGS} - i) / 4, 2, '模型倍率 1.25，分组倍率 1.00', 'user' || (1 + i % ${USERS}),
        'key', 'model-' || (i % 30), i % 10000, i % 3000, i % 900, i % 2 = 1, 1, i % 30, 1000 + i % ${TOKENS}, 'default',
        '{"model_ratio":1.25,"group_ratio":1,"completion_ratio":4,"frt":420}' from ${series(LOGS)} as n`,
  ])
}

async function seconds({ folder, env }: Installation, args: string[]): Promise<number> {
  const start = performance.now()
  const child = Bun.spawn([...program, 'import', ...args, '--report', newFolder()], {
    env: { PATH: process.env.PATH, DATA_DIR: folder, ...env },
    stdout: 'ignore',
    stderr: 'inherit',
  })
  const code = await child.exited
  const taken = (performance.now() - start) / 1000
  const memory_mb = Math.round(child.resourceUsage()!.maxRSS / 1_048_576)
  process.stdout.write(`import ${args.slice(1).join(' ')}: ${taken.toFixed(1)} s, ${memory_mb} MB\n`)
  expect(code).toBe(0)
  expect(memory_mb).toBeLessThanOrEqual(MEMORY_MAX_MB)
  return taken
}

test.each(engines)(
  '%s: ten thousand users with a million log entries move in within minutes, and no sum differs',
  async engine => {
    const place = await setUpInstallation()
    const from = await largeOn(engine)
    expect(await seconds(place, [from])).toBeLessThan(PEOPLE_SECONDS_MAX)
    expect(await seconds(place, [from, '--logs', '365'])).toBeLessThan(ALL_SECONDS_MAX - PEOPLE_SECONDS_MAX)
    const [sums] = await rowsOf(
      place,
      `select (select sum(quota) from users where username like 'user%') as users, (select count(*) from tokens) as tokens,
        (select sum(delta) from ledger where kind = 'import') as ledger, (select count(*) from logs) as logs`,
    )
    const quota = (7919 * USERS * (USERS + 1)) / 2
    expect(sums).toEqual({ users: quota, tokens: TOKENS, ledger: quota + 100_000_000, logs: LOGS })
  },
  2 * ALL_SECONDS_MAX * 1000,
)
