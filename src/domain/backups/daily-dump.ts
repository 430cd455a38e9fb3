/** On PostgreSQL a dump a day takes the place of snapshots and segments. */
import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { openPlace } from '../../db/dump/open-place.ts'
import { writeDump } from '../../db/dump/write-dump.ts'
import { env } from '../../env.ts'
import { now_ms } from '../../process/clock.ts'
import { log, reason } from '../../process/log.ts'
import { newGeneration, objectsIn, snapshotsIn } from './names.ts'
import { prune } from './prune.ts'
import { SNAPSHOT_EVERY_MS, takeSnapshot } from './snapshot.ts'
import { backupState, noteBackup } from './state.ts'
import type { BackupStore } from './store.ts'
import { openVault } from './vault.ts'

/** Dumps when the newest one is older than a day, by whichever node it was made. */
export async function dumpDaily(store: BackupStore, signal: AbortSignal) {
  try {
    const state = backupState()
    if (state?.last_snapshot_ms && !state.error && isRecent(state.last_snapshot_ms)) return
    const newest_ms = await newestDump_ms(store)
    const at_ms = newest_ms && isRecent(newest_ms) ? newest_ms : await dumpInto(store, signal)
    noteBackup({ last_snapshot_ms: at_ms, shipped_ms: at_ms, error: undefined })
  } catch (error) {
    if (!backupState()?.error)
      log.warn('the backup has stopped; calls go on', { store: store.name, reason: reason(error) })
    noteBackup({ error: (error as Error).message })
  }
}

/** Another node may have made it. */
export async function lookForDump(store: BackupStore) {
  const { last_snapshot_ms } = backupState() ?? {}
  if (last_snapshot_ms && isRecent(last_snapshot_ms)) return
  const at_ms = await newestDump_ms(store)
  if (at_ms) noteBackup({ last_snapshot_ms: at_ms, shipped_ms: at_ms })
}

const newestDump_ms = async (store: BackupStore) => snapshotsIn(objectsIn(await store.list())).at(-1)?.at_ms

const isRecent = (at_ms: number) => Math.abs(now_ms() - at_ms) < SNAPSHOT_EVERY_MS

async function dumpInto(store: BackupStore, signal: AbortSignal): Promise<number> {
  const vault = await openVault(store, 'make')
  const path = join(env.DATA_DIR, 'backup-dump.partial')
  const at_ms = now_ms()
  try {
    await dumpTo(path)
    const snapshot = { generation: newGeneration(at_ms), next: 0, at_ms }
    await takeSnapshot(vault, path, snapshot, statSync(path).size, () => !signal.aborted)
  } finally {
    rmSync(path, { force: true })
  }
  signal.throwIfAborted()
  await prune(store, () => !signal.aborted)
  return at_ms
}

async function dumpTo(path: string) {
  rmSync(path, { force: true })
  const file = openSync(path, 'wx', 0o600)
  const place = await openPlace(env.DATABASE_URL, 'read')
  try {
    await writeDump(place, bytes => void writeSync(file, bytes))
  } finally {
    await place.close()
    closeSync(file)
  }
}
