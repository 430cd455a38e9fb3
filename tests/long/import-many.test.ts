/**
 * `tollgate import` of a large gateway: 10,000 users with 100,000 API keys within three minutes, with a million log
 * entries within ten. `IMPORT_LOGS=10000` takes fewer entries.
 */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { type Installation, setUpInstallation } from '../support/app/installation.ts'
import { newFolder, program } from '../support/app/server.ts'
import { fileOf, peopled } from '../support/moving-in/house.ts'
import { rowsOf } from '../support/moving-in/moved.ts'

const USERS = 10_000
const TOKENS = 100_000
const LOGS = Number(process.env.IMPORT_LOGS ?? 1_000_000)
const PEOPLE_SECONDS_MAX = 180
const ALL_SECONDS_MAX = 600
const MEMORY_MAX_MB = 400

/** Ids of users from 100 on, of tokens from 1000 on; the first user of `peopled` is the root there. */
function largeFile(): string {
  const [root] = peopled('new-api').users!
  const path = fileOf('new-api', { users: [root!] })
  const file = new Database(path)
  file.run('PRAGMA synchronous = off')
  const series = (rows: number) => `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows})`
  file.run(`${series(USERS)} insert into users (id, username, password, display_name, role, status, email, quota,
      used_quota, request_count, "group", aff_code, inviter_id)
    select 99 + i, 'user' || i, '${root!.password}', 'User ' || i, 1, 1, 'user' || i || '@example.com', i * 7919,
      i * 31, i % 900, 'default', 'A' || i, case when i > 9 then 99 + i / 9 else 0 end from n`)
  file.run(`${series(TOKENS)} insert into tokens (id, user_id, key, status, name, created_time, accessed_time,
      expired_time, remain_quota, unlimited_quota, used_quota, model_limits_enabled, model_limits)
    select 999 + i, 100 + i % ${USERS}, substr(lower(hex(randomblob(24))), 1, 48), 1, 'key ' || i, 1700000000,
      1700000000 + i, -1, i, i % 2, i % 700, 0, '' from n`)
  const now = Math.floor(Date.now() / 1000)
  file.run(`${series(LOGS)} insert into logs (id, user_id, created_at, type, content, username, token_name, model_name,
      quota, prompt_tokens, completion_tokens, is_stream, channel_id, use_time, token_id, "group", other)
    select i, 100 + i % ${USERS}, ${now} - (${LOGS} - i) / 4, 2, '模型倍率 1.25，分组倍率 1.00', 'user' || (1 + i % ${USERS}),
      'key', 'model-' || i % 30, i % 10000, i % 3000, i % 900, i % 2, 1, i % 30, 1000 + i % ${TOKENS}, 'default',
      '{"model_ratio":1.25,"group_ratio":1,"completion_ratio":4,"frt":420}' from n`)
  file.close()
  return path
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

test(
  'ten thousand users with a million log entries move in within minutes, and no sum differs',
  async () => {
    const place = await setUpInstallation()
    const file = largeFile()
    expect(await seconds(place, [file])).toBeLessThan(PEOPLE_SECONDS_MAX)
    expect(await seconds(place, [file, '--logs', '365'])).toBeLessThan(ALL_SECONDS_MAX - PEOPLE_SECONDS_MAX)
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
