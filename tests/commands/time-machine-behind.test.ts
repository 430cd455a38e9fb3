// @engine sqlite
// @tier long
// @waits
/** A bucket that is gone for so long that the write-ahead log is let go, and the gap that this leaves. */
import { expect, test } from 'bun:test'
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unixSeconds } from '../../src/pure/time.ts'
import { emptyWithKey, gapAt, newBackedUp, noteOf, notesOf, shipped, utc } from '../support/app/backed-up.ts'
import { newInstallation, setUpAt, startAt } from '../support/app/installation.ts'
import { run } from '../support/app/server.ts'
import { NumberedCalls } from '../support/cluster/numbered-calls.ts'
import { until } from '../support/until.ts'
import { s3Bucket } from '../support/upstream/s3-bucket.ts'

/** 256 MiB, past which the log is let go, and what is written in the seconds until that is seen. */
const LOG_BYTES_MAX = 320_000_000
const NOTES = 36
/** Past the limit without a pause between them. */
const SHORT_NOTES = 20
const bigNote = (at: number) =>
  `insert into log_filters (user_id, name, query, created_time) values (1, 'f${at}', randomblob(16000000), ${at})`

test('a bucket that is gone for long: the log stays below 320 MB, is named once, and the backup begins anew', async () => {
  const made = await newBackedUp()
  const server = await startAt(made.place, { env: made.settings })
  await setUpAt(server)
  await shipped(server)
  const [away, log] = [`${made.backup}-away`, join(made.place.folder, 'tollgate.db-wal')]
  renameSync(made.backup, away)
  writeFileSync(made.backup, 'in the way')
  let largest = 0
  for (let note = 1; note <= NOTES; note++) {
    await made.place.change(bigNote(note))
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    await Bun.sleep(1100)
    largest = Math.max(largest, statSync(log).size)
  }
  expect(largest).toBeLessThan(LOG_BYTES_MAX)
  await until(() => /the backup begins anew/.test(server.output()))
  rmSync(made.backup)
  renameSync(away, made.backup)
  await until(() => /the backup goes on/.test(server.output()))
  await shipped(server)
  await server.stop('SIGKILL')
  for (const line of [/the backup has stopped/g, /the backup begins anew/g])
    expect(server.output().match(line)).toHaveLength(1)
  const target = await emptyWithKey(made)
  expect(await run(['restore'], target)).toMatchObject({ code: 0, err: '' })
  expect(await notesOf(target)).toEqual(Array.from({ length: NOTES }, (_, note) => note + 1))
})

const settingsOfBucket = (url: string): Record<string, string> => ({
  ...{ BACKUP_URL: 's3://backups/tollgate', BACKUP_PASSPHRASE: 'correct horse battery' },
  ...{ S3_ENDPOINT: url, S3_ACCESS_KEY_ID: 'backup-key', S3_SECRET_ACCESS_KEY: 'backup-secret' },
  METRICS_TOKEN: 'metrics-of-backups',
})

test('a bucket that refuses past 256 MB under calls: all is restorable again, and diagnostics shows the gap', async () => {
  using bucket = s3Bucket('backup-key', 'backup-secret')
  const settings = settingsOfBucket(bucket.url)
  const place = await newInstallation()
  const server = await startAt({ ...place, env: settings })
  const calls = await NumberedCalls.at(place, server.url)
  const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1)
  const more = async (count: number) => {
    for (let call = 0; call < count; call++) expect(await calls.call(server.url)).toBe(200)
  }
  await more(5)
  await shipped(server)
  expect(await gapAt(server)).toBeUndefined()
  bucket.refuse({ status: 403, code: 'AccessDenied' })
  const begin = unixSeconds(Date.now())
  for (let note = 1; note <= SHORT_NOTES; note++) {
    await place.change(bigNote(note))
    await more(1)
  }
  await until(() => /the backup begins anew/.test(server.output()))
  expect(await gapAt(server)).toEqual({ from: expect.any(Number) })
  const inside_ms = Date.now()
  await Bun.sleep(1100)
  await more(5)
  bucket.refuse()
  await until(() => /the backup goes on/.test(server.output()))
  await shipped(server)
  const gap = (await gapAt(server))!
  expect(gap.from).toBeGreaterThanOrEqual(begin - 2)
  expect(gap.from).toBeLessThan(unixSeconds(inside_ms))
  expect(gap.to!).toBeGreaterThan(unixSeconds(inside_ms))
  await more(5)
  await shipped(server)
  await server.stop('SIGKILL')
  const made = { place, backup: '', settings }
  const restored = async (...args: string[]) => {
    const target = await emptyWithKey(made)
    expect(await run(['restore', ...args], target)).toMatchObject({ code: 0, err: '' })
    const rows = (await target.read('select prompt_tokens as id from logs where type = 2 order by id')) as {
      id: number
    }[]
    return rows.map(({ id }) => id)
  }
  expect(await restored()).toEqual(numbers(calls.total))
  expect(await restored('--at', utc(gap.to! * 1000))).toEqual(numbers(calls.total - 5))
  // The last second before the gap.
  expect(await restored('--at', utc(inside_ms))).toEqual(numbers(5))
})

test('a bucket that is gone at the start for a while: the gap begins where the process before has ended', async () => {
  using bucket = s3Bucket('backup-key', 'backup-secret')
  const settings = settingsOfBucket(bucket.url)
  const place = await newInstallation()
  const first = await startAt({ ...place, env: settings })
  await setUpAt(first)
  await shipped(first)
  const ended = unixSeconds(Date.now())
  await first.stop('SIGKILL')
  await Bun.sleep(2100)
  bucket.refuse('gone')
  const server = await startAt({ ...place, env: settings })
  await until(() => /the backup has stopped/.test(server.output()))
  await place.change(noteOf(1))
  bucket.refuse()
  await shipped(server)
  const gap = (await gapAt(server))!
  expect(gap.from).toBeLessThanOrEqual(ended)
  expect(gap.to!).toBeGreaterThan(ended + 1)
  await server.stop()
  const target = await emptyWithKey({ place, backup: '', settings })
  expect(await run(['restore'], target)).toMatchObject({ code: 0, err: '' })
  expect(await notesOf(target)).toEqual([1])
})
