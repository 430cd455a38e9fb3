/** Restores the newest backup into a temporary folder, audits it, and sends administrators the light. */
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Lease } from '../../cluster/lease.ts'
import { atomic } from '../../db/atomic.ts'
import { dialect } from '../../db/dialect.ts'
import { env, environment } from '../../env.ts'
import { translate } from '../../locales/index.ts'
import { now_ms } from '../../process/clock.ts'
import { log } from '../../process/log.ts'
import { ownProgram } from '../../process/reexec.ts'
import { MS_PER_SECOND } from '../../pure/time.ts'
import { messageAdministrators } from '../messages/index.ts'
import { dumpDaily, lookForDump } from './daily-dump.ts'
import { storedGap } from './gap.ts'
import { type BackupTest, backupState, noteBackup } from './state.ts'
import { storeAt } from './store.ts'

const [SOON_SECONDS, WEEK_SECONDS] = [30, 7 * 86_400]
/** Kept in the backup itself: a process that starts knows the light of the last one. */
const LIGHT = 'test.json'
const KEY_FILE = 'secret.key'
/** Characters of what the restore has written. */
const ERROR_MAX = 500

/** On each node: reads the light of the last test, once the last gap, and, on PostgreSQL, when it was last dumped. */
export async function lookAtBackup() {
  if (!env.BACKUP_URL) return
  const store = storeAt(env.BACKUP_URL)
  const last_test = lastTest(await store.get(LIGHT)) ?? backupState()?.last_test
  const { gap, has_looked } = backupState() ?? {}
  noteBackup({ last_test, gap: gap ?? (has_looked ? undefined : await storedGap(store)), has_looked: true })
  if (dialect === 'postgres') await lookForDump(store)
}

export async function keepDump(signal: AbortSignal) {
  if (env.BACKUP_URL && dialect === 'postgres') await dumpDaily(storeAt(env.BACKUP_URL), signal)
}

/** @returns seconds between two tests: few while one is due, since a stop may break it off; 0 before there is a backup */
export function testEvery_seconds(): number {
  const { last_snapshot_ms, last_test, has_looked } = backupState() ?? {}
  if (!last_snapshot_ms || !has_looked) return 0
  const isDue = !last_test || Math.abs(now_ms() - last_test.at_ms) >= WEEK_SECONDS * MS_PER_SECOND
  return isDue ? SOON_SECONDS : WEEK_SECONDS
}

/** By the schedule or by hand. */
export async function testBackup(signal: AbortSignal, lease: Lease) {
  if (!env.BACKUP_URL) return
  const store = storeAt(env.BACKUP_URL)
  const error = await restoreElsewhere(env.BACKUP_URL, signal)
  if (signal.aborted) return
  const test: BackupTest = { at_ms: now_ms(), ok: !error, error }
  noteBackup({ last_test: test })
  if (error) log.error('the backup cannot be restored', { reason: error })
  else log.info('the backup was restored and audited', { store: store.name })
  await atomic(function* (tx) {
    yield* lease.keep(tx)
    yield* messageAdministrators(tx, language => {
      const kind = error ? 'failed' : 'passed'
      return {
        title: translate(language, `message.backup_${kind}_title`),
        content: translate(language, `message.backup_${kind}_text`, { error: plain(error) }),
      }
    })
  })
  await store.put(LIGHT, Buffer.from(JSON.stringify(test)))
}

function lastTest(bytes: Uint8Array | undefined): BackupTest | undefined {
  try {
    const test = bytes && JSON.parse(new TextDecoder().decode(bytes))
    return Number.isFinite(test?.at_ms)
      ? { at_ms: test.at_ms, ok: Boolean(test.ok), error: String(test.error) }
      : undefined
  } catch {
    return undefined
  }
}

/** In a process of its own, as an operator would. @returns what is wrong with the backup; empty for nothing */
async function restoreElsewhere(url: string, signal: AbortSignal): Promise<string> {
  const folder = join(env.DATA_DIR, 'backup-test')
  // A process that was killed may have left one.
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  try {
    const key = join(env.DATA_DIR, KEY_FILE)
    if (!env.SECRET_KEY && existsSync(key)) copyFileSync(key, join(folder, KEY_FILE))
    const child = Bun.spawn([...ownProgram(), 'restore', url], {
      env: { ...environment(), DATA_DIR: folder, DATABASE_URL: '', ROLE: '' },
      stdout: 'pipe',
      stderr: 'pipe',
      signal,
    })
    const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
    return (await child.exited) === 0 ? '' : (err.trim() || out.trim()).slice(-ERROR_MAX) || 'the restore was killed'
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const plain = (text: string): string => text.replaceAll('`', "'")
