// @engine sqlite
// @tier long
// @waits
/** A bucket that is gone for so long that the write-ahead log is let go. */
import { expect, test } from 'bun:test'
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { emptyWithKey, newBackedUp, notesOf, shipped } from '../support/app/backed-up.ts'
import { setUpAt, startAt } from '../support/app/installation.ts'
import { run } from '../support/app/server.ts'
import { until } from '../support/until.ts'

/** 256 MiB, past which the log is let go, and what is written in the seconds until that is seen. */
const LOG_BYTES_MAX = 320_000_000
const NOTES = 36
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
