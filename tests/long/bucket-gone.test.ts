// @engine sqlite
// @waits
/** A bucket that is gone, refuses, hangs or is full under steady calls: none fails, and each second after it can be restored. */
import { expect, test } from 'bun:test'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { shipped, utc } from '../support/app/backed-up.ts'
import { type Installation, newInstallation, startAt } from '../support/app/installation.ts'
import { run } from '../support/app/server.ts'
import { NumberedCalls } from '../support/cluster/numbered-calls.ts'
import { until } from '../support/until.ts'
import { type BucketFault, s3Bucket } from '../support/upstream/s3-bucket.ts'

const [KEY_ID, SECRET] = ['backup-key', 'backup-secret']
/** 20 a second: the log of a minute is smaller than what is kept for a bucket that returns. */
const CALL_EVERY_MS = 50
/** Of calls before the outage, in it once it is noticed, and after it. */
const WORK_MS = 3000
/** Longer than the looks at the log, which are a second apart. */
const QUIET_MS = 2100

const settingsOf = (url: string): Record<string, string> => ({
  ...{ BACKUP_URL: 's3://backups/tollgate', BACKUP_PASSPHRASE: 'correct horse battery' },
  ...{ S3_ENDPOINT: url, S3_ACCESS_KEY_ID: KEY_ID, S3_SECRET_ACCESS_KEY: SECRET },
  METRICS_TOKEN: 'metrics-of-backups',
})

const faults: [string, BucketFault][] = [
  ['is gone', 'gone'],
  ['refuses', { status: 403, code: 'AccessDenied' }],
  ['hangs', 'hang'],
  ['is full', { status: 507, code: 'InsufficientStorage' }],
]

test.each(faults)(
  'a bucket that %s under steady calls: none fails, and a second after it is restored exactly',
  async (_, fault) => {
    using bucket = s3Bucket(KEY_ID, SECRET)
    const env = settingsOf(bucket.url)
    const place = await newInstallation()
    const server = await startAt({ ...place, env })
    const calls = await NumberedCalls.at(place, server.url)
    await shipped(server)
    const stop = steady(calls, server.url)
    await Bun.sleep(WORK_MS)
    bucket.refuse(fault)
    await until(() => server.output().includes('the backup has stopped'))
    const noticed = calls.total
    await Bun.sleep(WORK_MS)
    expect(calls.total).toBeGreaterThan(noticed)
    bucket.refuse()
    await until(() => server.output().includes('the backup goes on'))
    await stop()
    const inOutage = calls.total
    await Bun.sleep(QUIET_MS)
    const after_ms = Date.now()
    await Bun.sleep(QUIET_MS)
    const stopLater = steady(calls, server.url)
    await Bun.sleep(WORK_MS)
    await stopLater()
    await shipped(server)
    await server.stop('SIGKILL')
    expect(new Set(calls.statuses.slice(1))).toEqual(new Set([200]))
    expect(server.output().match(/the backup has stopped/g)).toHaveLength(1)
    expect(server.output()).not.toContain('begins anew')
    expect(calls.total).toBeGreaterThan(inOutage)
    expect(await restoredCalls(place, env, '--at', utc(after_ms))).toEqual(numbersTo(inOutage))
    expect(await restoredCalls(place, env)).toEqual(numbersTo(calls.total))
  },
)

/** @returns stops the calls and waits for their end */
function steady(calls: NumberedCalls, url: string): () => Promise<unknown> {
  const open: Promise<number>[] = []
  const timer = setInterval(() => open.push(calls.call(url)), CALL_EVERY_MS)
  return () => {
    clearInterval(timer)
    return Promise.all(open)
  }
}

const numbersTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

/** Numbers of the calls that are billed in what comes back. */
async function restoredCalls(place: Installation, env: Record<string, string>, ...args: string[]): Promise<number[]> {
  const target = await newInstallation()
  copyFileSync(join(place.folder, 'secret.key'), join(target.folder, 'secret.key'))
  const { code, out, err } = await run(['restore', ...args], { ...target, env })
  expect({ code, err, out }).toEqual({ code: 0, err: '', out: expect.stringContaining('audit: clean') })
  const rows = (await target.read('select prompt_tokens as id from logs where type = 2 order by id')) as {
    id: number
  }[]
  return rows.map(({ id }) => id).sort((one, other) => one - other)
}
