/** How far the backup is, and the light of the last test. */
import { env } from '../../env.ts'
import { now_ms } from '../../process/clock.ts'
import { gauge } from '../../process/metrics/gauge.ts'
import { store } from '../../process/stores.ts'
import { MS_PER_SECOND } from '../../pure/time.ts'

export interface BackupTest {
  at_ms: number
  ok: boolean
  /** Empty when it is ok. */
  error: string
}

export interface BackupState {
  /** Absent until this process has finished one. */
  last_snapshot_ms?: number
  /** Moment up to which all commits are in the backup. */
  shipped_ms?: number
  last_test?: BackupTest
  /** A test restores it now, here. */
  is_testing?: boolean
  /** Why nothing is shipped at the moment. */
  error?: string
}

const states = store('backup-state', new Map<'state', BackupState>())

export function noteBackup(change: Partial<BackupState>) {
  states.set('state', { ...states.get('state'), ...change })
}

/** @returns undefined without a BACKUP_URL. `ok` is the light: false while shipping fails or after a failed test */
export function backupState() {
  if (!env.BACKUP_URL) return undefined
  const state = states.get('state') ?? {}
  const lag_seconds = state.shipped_ms === undefined ? undefined : lagSince(state.shipped_ms)
  return { ...state, lag_seconds, ok: !state.error && state.last_test?.ok !== false }
}

const lagSince = (at_ms: number) => Math.max(0, now_ms() - at_ms) / MS_PER_SECOND

gauge(
  'tollgate_backup_age_seconds',
  'Age of the newest moment that the backup can restore.',
  () => backupState()?.lag_seconds,
)
