/** `tollgate import` killed at random moments, then run again: no row twice, every sum exact. */
import { expect, test } from 'bun:test'
import { type Installation, setUpInstallation } from '../support/app/installation.ts'
import { newFolder, program } from '../support/app/server.ts'
import { channel, fileOf, peopled } from '../support/moving-in/house.ts'
import { everythingIn, moved, rowsOf } from '../support/moving-in/moved.ts'
import type { Rows } from '../support/moving-in/schemas.ts'
import { seededRandom } from '../support/random.ts'

const USERS = 4000
const TOKENS = 8000
const LOGS = 30_000
const KILLS = 10
/** Ids beyond those of `peopled`. */
const FROM = 100

function many(): Rows {
  const rows = peopled('new-api', [channel(3, 1), channel(4, 43)])
  const [, ann] = rows.users!
  const person = (_: unknown, at: number) => ({
    ...ann!,
    ...{ id: FROM + at, username: `user${at}`, aff_code: `K${at}`, access_token: null, quota: at * 7, used_quota: at },
  })
  const token = (_: unknown, at: number) => ({
    ...rows.tokens![0]!,
    ...{ id: FROM + at, user_id: FROM + (at % USERS), key: `k${String(at).padStart(47, '0')}`, name: `key ${at}` },
  })
  const now = Math.floor(Date.now() / 1000)
  const log = (_: unknown, at: number) => ({
    ...{ id: at + 1, user_id: FROM + (at % USERS), created_at: now - 60, type: 2, content: `entry ${at}`, quota: at },
  })
  return {
    ...rows,
    users: [...rows.users!, ...Array.from({ length: USERS }, person)],
    tokens: [...rows.tokens!, ...Array.from({ length: TOKENS }, token)],
    logs: Array.from({ length: LOGS }, log),
  }
}

/** @returns whether the import has ended before it was killed */
async function killedAfter({ folder, env }: Installation, file: string, ms: number): Promise<boolean> {
  const child = Bun.spawn([...program, 'import', file, '--logs', '30', '--report', newFolder()], {
    env: { PATH: process.env.PATH, DATA_DIR: folder, ...env },
    stdout: 'ignore',
    stderr: 'ignore',
  })
  const ended = await Promise.race([child.exited.then(() => true), Bun.sleep(ms).then(() => false)])
  child.kill('SIGKILL')
  await child.exited
  return ended
}

const SUMS = `select (select count(*) from users) as users, (select sum(quota) from users) as balances,
  (select count(*) from tokens) as tokens, (select count(*) from channels) as channels,
  (select count(*) from ledger where kind = 'import') as entries, (select sum(delta) from ledger) as ledger,
  (select sum(used_quota) from openings) as openings, (select count(*) from logs) as logs,
  (select count(distinct content) from logs) as different_logs, (select count(*) from moved_rows) as moved`

test('an import that is killed at ten moments carries every row once in the end', async () => {
  const file = fileOf('new-api', many())
  const whole = await setUpInstallation()
  const start = performance.now()
  await moved(whole, file, '--logs', '30')
  const taken_ms = performance.now() - start
  const random = seededRandom(Date.now())
  const place = await setUpInstallation()
  let ends = 0
  for (let kill = 0; kill < KILLS; kill++)
    if (await killedAfter(place, file, (taken_ms * (100 + random(600))) / 1000)) ends++
  expect(ends).toBeLessThan(KILLS)
  const last = await moved(place, file, '--logs', '30')
  expect(last.out).toContain('audit: clean (')
  expect(await rowsOf(place, SUMS)).toEqual(await rowsOf(whole, SUMS))
  const before = await everythingIn(place)
  await moved(place, file, '--logs', '30')
  await moved(place, file, '--logs', '30', '--dry-run')
  expect(await everythingIn(place)).toEqual(before)
}, 900_000)
