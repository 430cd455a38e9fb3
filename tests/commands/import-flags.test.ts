// @engine sqlite
/** Each flag of `tollgate import`: whose root holds, whose prices, names of installations, where the report lies. */
import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  copyOf,
  newInstallation,
  setUpInstallation,
  signInAt,
  startAt,
  startupErrorOf,
} from '../support/app/installation.ts'
import { newFolder, run } from '../support/app/server.ts'
import { channel, fileOf, gateways, OLD_ROOT, peopled } from '../support/moving-in/house.ts'
import { moved, rowsOf } from '../support/moving-in/moved.ts'

/** Of the house's root. */
const OURS = { username: 'root', password: 'opensesame' }
const ADMIN = 10
const ROOT = 100

/** A started server has left its database and its key, and nothing has made a root. */
async function startedOnce() {
  const place = await newInstallation()
  await (await startAt(place)).stop()
  return place
}

let started: ReturnType<typeof startedOnce> | undefined

async function houseWithoutRoot() {
  started ??= startedOnce()
  return copyOf(await started)
}

const roots = (place: Awaited<ReturnType<typeof newInstallation>>) =>
  rowsOf(place, `select username, role from users where username like 'root%' order by username`)

test('import: help and the page of moving in name the same flags', async () => {
  const usage = await startupErrorOf(['import'], await setUpInstallation())
  const page = readFileSync(new URL('../../docs/moving-in.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| `(--[^`]+)` \|/gm)].map(([, flag]) => flag!.replaceAll('\\|', '|'))
  const named = [...usage.matchAll(/\[(--[^\]]+)\]/g)].map(([, flag]) => flag!)
  const names = (flags: string[]) => flags.map(flag => flag.split(' ')[0]).sort()
  expect(names(rows)).toEqual(names(named))
  expect(rows.length).toBeGreaterThanOrEqual(6)
})

test.each(gateways)('import --root theirs: the root of %s signs in under its name, and is the root', async gateway => {
  const place = await houseWithoutRoot()
  const file = fileOf(gateway, peopled(gateway, [channel(3, 1)]))
  expect(await startupErrorOf(['import', file], place)).toContain('--root theirs')
  expect(await roots(place)).toEqual([])
  const report = await moved(place, file, '--root', 'theirs')
  expect(report.out).toContain('\naudit: clean (')
  expect(await roots(place)).toEqual([{ username: 'root', role: ROOT }])

  const server = await startAt(place)
  expect((await signInAt(server, OURS)).success).toBe(false)
  const { success, headers } = await signInAt(server, OLD_ROOT)
  expect(success).toBe(true)
  // For the root alone.
  expect((await fetch(`${server.url}/api/option/export`, { headers })).status).toBe(200)
  expect((await fetch(`${server.url}/setup`, { redirect: 'manual' })).status).toBe(303)
  await server.stop()
  expect((await moved(place, file, '--root', 'theirs')).counts.user).toEqual({ found: 7, carried: 0, before: 7 })
})

test('import --root ours: both roots sign in, theirs as root-2 and an administrator', async () => {
  const place = await setUpInstallation()
  await moved(place, fileOf('new-api', peopled('new-api')), '--root', 'ours')
  expect(await roots(place)).toEqual([
    { username: 'root', role: ROOT },
    { username: 'root-2', role: ADMIN },
  ])
  const server = await startAt(place)
  const theirs = await signInAt(server, { ...OLD_ROOT, username: 'root-2' })
  expect([(await signInAt(server, OURS)).success, theirs.success]).toEqual([true, true])
  const optionsOf = (headers: Record<string, string>) => fetch(`${server.url}/api/option/export`, { headers })
  expect((await (await optionsOf(theirs.headers)).json()).success).toBe(false)
})

test('import --root theirs: a site with a root of its own refuses it, and stays as it is', async () => {
  const place = await setUpInstallation()
  const file = fileOf('veloera', peopled('veloera'))
  expect(await startupErrorOf(['import', file, '--root', 'theirs'], place)).toContain('root')
  expect(await roots(place)).toEqual([{ username: 'root', role: ROOT }])
})

test('import --source: two installations of one product move in beside each other, and each only once', async () => {
  const place = await setUpInstallation()
  const rows = peopled('new-api')
  const others = { ...rows, users: rows.users!.map(row => ({ ...row, aff_code: `X${row.id}` })) }
  const [first, second] = [fileOf('new-api', rows), fileOf('new-api', others)]
  const carriedOf = async (file: string, name: string) => {
    const { source, counts } = await moved(place, file, '--source', name)
    return [source, counts.user.carried]
  }
  expect(await carriedOf(first, 'east')).toEqual(['east', 7])
  expect(await carriedOf(second, 'west')).toEqual(['west', 6])
  expect([await carriedOf(first, 'east'), await carriedOf(second, 'west')]).toEqual([
    ['east', 0],
    ['west', 0],
  ])
  const anns = await rowsOf(place, `select username from users where username like 'ann%' order by username`)
  expect(anns).toEqual([{ username: 'ann' }, { username: 'ann-2' }])
})

test('import --prices theirs: is what holds when the flag is not given', async () => {
  const options = [{ key: 'ModelRatio', value: '{"gpt-4o":77}' }]
  const file = fileOf('new-api', { ...peopled('new-api'), options })
  const ratioWith = async (...flags: string[]) => {
    const place = await setUpInstallation()
    await moved(place, file, ...flags)
    const [row] = await rowsOf(place, `select value from options where key = 'ModelRatio'`)
    return JSON.parse(String(row?.value ?? '{}'))['gpt-4o']
  }
  const given = [await ratioWith(), await ratioWith('--prices', 'theirs'), await ratioWith('--prices', 'ours')]
  expect(given).toEqual([77, 77, undefined])
})

test('import --report: makes the folder that it names, and without it the working folder has the report', async () => {
  const place = await setUpInstallation()
  const file = fileOf('one-api', peopled('one-api'))
  const folder = join(newFolder(), 'made', 'here')
  expect((await run(['import', file, '--dry-run', '--report', folder], place)).code).toBe(0)
  for (const name of ['tollgate-import.html', 'tollgate-import.json'])
    expect([name, existsSync(join(folder, name))]).toEqual([name, true])
})
