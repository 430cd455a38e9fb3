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
import { messageAdministrators } from '../messages/index.ts'
import { dumpDaily } from './daily-dump.ts'
import { type BackupTest, backupState, noteBackup } from './state.ts'
import { type BackupStore, storeAt } from './store.ts'

export const KEEP_BACKUP = 'keep-backup'
const WEEK_MS = 7 * 86_400_000
/** Kept in the backup itself: a process that starts knows the light of the last one. */
const LIGHT = 'test.json'
const KEY_FILE = 'secret.key'
/** Characters of what the restore has written. */
const ERROR_MAX = 500

/** On PostgreSQL dumps each day. Tests once a week what is there. */
export async function keepBackup(signal: AbortSignal, lease: Lease) {
  if (!env.BACKUP_URL) return
  const store = storeAt(env.BACKUP_URL)
  if (dialect === 'postgres') await dumpDaily(store, signal)
  if (backupState()?.last_snapshot_ms && !signal.aborted) await testBackup(store, env.BACKUP_URL, signal, lease)
}

async function testBackup(store: BackupStore, url: string, signal: AbortSignal, lease: Lease) {
  const last = lastTest(await store.get(LIGHT))
  if (last) noteBackup({ last_test: last })
  if (last && Math.abs(now_ms() - last.at_ms) < WEEK_MS) return
  const error = await restoreElsewhere(url, signal)
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
