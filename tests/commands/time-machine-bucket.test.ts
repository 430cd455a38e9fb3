// @engine sqlite
// @tier long
// @waits
/** Backups to a bucket of S3 that checks signatures, refuses, hangs and is full. */
import { expect, test } from 'bun:test'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { noteOf, notesOf } from '../support/app/backed-up.ts'
import { type Installation, newInstallation, setUpAt, startAt, startupErrorOf } from '../support/app/installation.ts'
import { run } from '../support/app/server.ts'
import { until } from '../support/until.ts'
import { s3Bucket } from '../support/upstream/s3-bucket.ts'

const [KEY_ID, SECRET] = ['backup-key', 'backup-secret']

const settingsOf = (url: string): Record<string, string> => ({
  ...{ BACKUP_URL: 's3://backups/deep/tollgate', BACKUP_PASSPHRASE: 'correct horse battery' },
  ...{ S3_ENDPOINT: url, S3_REGION: 'eu-west-1', S3_ACCESS_KEY_ID: KEY_ID, S3_SECRET_ACCESS_KEY: SECRET },
})

async function restoredFrom(place: Installation, url: string): Promise<Installation> {
  const empty = await newInstallation()
  copyFileSync(join(place.folder, 'secret.key'), join(empty.folder, 'secret.key'))
  const target = { ...empty, env: settingsOf(url) }
  expect(await run(['restore'], target)).toMatchObject({ code: 0, err: '' })
  return target
}

const STOPPED = /the backup has stopped/g

test('a bucket gets each commit, and its pages of names are read to the end', async () => {
  using bucket = s3Bucket(KEY_ID, SECRET)
  const place = await newInstallation()
  const server = await startAt(place, { env: settingsOf(bucket.url) })
  await setUpAt(server)
  const whole = () => [...bucket.objects.keys()].some(name => name.endsWith('/end'))
  await until(whole)
  for (let note = 1; note <= 6; note++) {
    const before = bucket.objects.size
    await place.change(noteOf(note))
    await until(() => bucket.objects.size > before)
  }
  await server.stop('SIGKILL')
  expect([...bucket.objects.keys()].every(name => name.startsWith('/backups/deep/tollgate/'))).toBe(true)
  expect(server.output().match(STOPPED)).toBeNull()
  expect(await notesOf(await restoredFrom(place, bucket.url))).toEqual([1, 2, 3, 4, 5, 6])
})

test.each([
  ['refuses', { status: 403, code: 'AccessDenied' }],
  ['is full', { status: 507, code: 'InsufficientStorage' }],
  ['hangs', 'hang'],
] as const)('a bucket that %s fails no call, warns once, and gets all of it later', async (_, what) => {
  using bucket = s3Bucket(KEY_ID, SECRET)
  const place = await newInstallation()
  const server = await startAt(place, { env: settingsOf(bucket.url) })
  await setUpAt(server)
  await until(() => [...bucket.objects.keys()].some(name => name.endsWith('/end')))
  bucket.refuse(what)
  for (let note = 1; note <= 3; note++) {
    await place.change(noteOf(note))
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    await Bun.sleep(1100)
  }
  await until(() => STOPPED.test(server.output()))
  bucket.refuse()
  await until(() => /the backup goes on/.test(server.output()))
  await server.stop()
  expect(server.output().match(STOPPED)).toHaveLength(1)
  expect(await notesOf(await restoredFrom(place, bucket.url))).toEqual([1, 2, 3])
})

test.each([
  ['refuses', { status: 403, code: 'AccessDenied' }, /^tollgate: cannot restore: /],
  ['hangs', 'hang', /^tollgate: cannot restore: s3:\/\/backups\/deep\/tollgate does not answer$/],
] as const)('a bucket that %s is one line of a restore, exit code 1', async (_, what, expected) => {
  using bucket = s3Bucket(KEY_ID, SECRET)
  bucket.refuse(what)
  expect(await startupErrorOf(['restore'], { ...(await newInstallation()), env: settingsOf(bucket.url) })).toMatch(
    expected,
  )
})

test('a wrong key of the bucket is one line of a restore', async () => {
  using bucket = s3Bucket(KEY_ID, SECRET)
  const place = await newInstallation()
  const env = { ...settingsOf(bucket.url), S3_SECRET_ACCESS_KEY: 'another' }
  expect(await startupErrorOf(['restore'], { ...place, env })).toMatch(/^tollgate: cannot restore: /)
})
