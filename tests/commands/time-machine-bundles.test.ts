// @engine sqlite
// @tier long
// @waits
/** Segments become bundles, which restore every second as before, whatever of both is there. */
import { expect, test } from 'bun:test'
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { emptyWithKey, newBackedUp, notesOf, objectsIn, segmentsIn, shipped, utc } from '../support/app/backed-up.ts'
import { setUpAt, startAt, startupErrorOf } from '../support/app/installation.ts'
import { newFolder, run } from '../support/app/server.ts'
import { until } from '../support/until.ts'

const NOTES = 7
/** Random bytes, so that three of them are a bundle and the last one waits for its own. */
const bigNote = (at: number) =>
  `insert into log_filters (user_id, name, query, created_time) values (1, 'f${at}', randomblob(3000000), ${at})`

/** Two bundles and what is behind them, as a killed server leaves them, and the second of each note. */
const history = (async () => {
  const made = await newBackedUp()
  const server = await startAt(made.place, { env: made.settings })
  await setUpAt(server)
  await shipped(server)
  const seconds: number[] = []
  for (let note = 1; note <= NOTES; note++) {
    await made.place.change(bigNote(note))
    await shipped(server)
    seconds.push(Date.now())
    await Bun.sleep(1100)
  }
  await until(() => objectsIn(made.backup, 'bundle').length === 2)
  await server.stop('SIGKILL')
  return { ...made, seconds }
})()

const later = (days: number) => ({
  command: [process.execPath, '--preload', './tests/support/app/later.ts', 'src/main.ts'],
  env: { LATER_DAYS: String(days) },
})

async function copyOfBackup() {
  const made = await history
  const backup = newFolder()
  cpSync(made.backup, backup, { recursive: true })
  return { made, backup }
}

/** The notes of the newest second, and of each of theirs. */
async function expectAllIn(backup: string) {
  const made = await history
  const restored = async (args: string[]) => {
    const target = await emptyWithKey(made, { BACKUP_URL: backup })
    expect(await run(['restore', ...args], target)).toMatchObject({ code: 0, err: '' })
    return notesOf(target)
  }
  const all = Array.from({ length: NOTES }, (_, note) => note + 1)
  expect(await restored([])).toEqual(all)
  for (const note of [2, 3, 5, 6])
    expect(await restored(['--at', utc(made.seconds[note - 1]!)])).toEqual(all.slice(0, note))
}

/** Segments that stand in a bundle too, by the numbers in the names. */
function doubledIn(backup: string): string[] {
  const [, generation, last] = /^(\S+)\/bundle-\d+-(\d+)-/.exec(objectsIn(backup, 'bundle').at(-1)!)!
  return segmentsIn(backup).filter(name => name.startsWith(generation!) && name.split('-').at(-2)! <= last!)
}

test.each([
  ['before its segments are deleted', 0],
  ['after the first one is deleted', 1],
  ['in the midst of the segments', 3],
  ['after all are deleted', Number.POSITIVE_INFINITY],
])('bundles: a crash %s loses no second', async (_, count) => {
  const { backup } = await copyOfBackup()
  const doubled = doubledIn(backup)
  expect(doubled.length).toBeGreaterThanOrEqual(6)
  for (const name of doubled.slice(0, count)) rmSync(join(backup, name))
  await expectAllIn(backup)
})

test('bundles: a bundle that was being written when the machine died counts for nothing', async () => {
  const { backup } = await copyOfBackup()
  const bundle = join(backup, objectsIn(backup, 'bundle')[0]!)
  writeFileSync(`${bundle}.abc.partial`, readFileSync(bundle).subarray(0, 1000))
  rmSync(bundle)
  await expectAllIn(backup)
})

test.each([
  ['cut', (bytes: Buffer) => bytes.subarray(0, -1)],
  ['shorter than its head', (bytes: Buffer) => bytes.subarray(0, 20)],
  ['altered in a segment', (bytes: Buffer) => altered(bytes, bytes.length - 100)],
  ['altered in a time', (bytes: Buffer) => altered(bytes, 5)],
])('bundles: restore refuses one that is %s in one line', async (_, change) => {
  const { made, backup } = await copyOfBackup()
  for (const name of doubledIn(backup)) rmSync(join(backup, name))
  const bundle = join(backup, objectsIn(backup, 'bundle')[0]!)
  writeFileSync(bundle, change(readFileSync(bundle)))
  const target = await emptyWithKey(made, { BACKUP_URL: backup })
  expect(await startupErrorOf(['restore'], target)).toMatch(/is damaged: \S+ is cut or altered/)
})

function altered(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[at]! ^= 1
  return copy
}

test('bundles: two days later no segment of a killed server is left, and each second can be restored', async () => {
  const { made, backup } = await copyOfBackup()
  const place = await emptyWithKey(made, { BACKUP_URL: backup })
  await run(['restore'], place)
  const old = segmentsIn(backup)
  const { command, env } = later(2)
  const server = await startAt(place, { command, env: { ...place.env, ...env } })
  await until(() => !segmentsIn(backup).some(name => old.includes(name)))
  await server.stop()
  expect(objectsIn(backup, 'bundle').length).toBeGreaterThanOrEqual(3)
  // The newest second is now one of the second server, in the future.
  for (const generation of new Set(objectsIn(backup, 'snapshot').map(name => name.split('/')[0]!)))
    if (!old.some(name => name.startsWith(generation))) rmSync(join(backup, generation), { recursive: true })
  await expectAllIn(backup)
})

test('bundles: what no second of BACKUP_KEEP days needs is deleted with its bundles', async () => {
  const { made, backup } = await copyOfBackup()
  const place = await emptyWithKey(made, { BACKUP_URL: backup })
  await run(['restore'], place)
  const [old] = objectsIn(backup, 'bundle')[0]!.split('/')
  const start = (days: number) => {
    const { command, env } = later(days)
    return startAt(place, { command, env: { ...place.env, ...env, BACKUP_KEEP: '1' } })
  }
  const first = await start(2)
  await shipped(first)
  await first.stop()
  expect(objectsIn(backup, 'bundle').some(name => name.startsWith(old!))).toBe(true)
  const second = await start(4)
  await until(
    () => !['snapshot', 'segment', 'bundle'].some(kind => objectsIn(backup, kind).some(name => name.startsWith(old!))),
  )
  await second.stop()
})
