/** How far the backup is, and the light of the last test. */
import { runsHere } from '../../cluster/leases.ts'
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

/** Seconds that cannot be restored: what was committed in them is in the snapshot behind it. */
export interface BackupGap {
  from_ms: number
  /** Moment of that snapshot; absent until it is whole. */
  to_ms?: number
}

export interface BackupState {
  /** Absent until this process has finished one. */
  last_snapshot_ms?: number
  /** Moment up to which all commits are in the backup. */
  shipped_ms?: number
  last_test?: BackupTest
  /** Whether `last_test` was looked for. */
  has_looked?: boolean
  /** Why nothing is shipped at the moment. */
  error?: string
  /** Since when. */
  failing_ms?: number
  /** The last one. */
  gap?: BackupGap
}

export const TEST_BACKUP = 'test-backup'
/** A day's snapshot or dump may take a while. */
const OLD_SECONDS = 2 * 86_400

const states = store('backup-state', new Map<'state', BackupState>())

export function noteBackup(change: Partial<BackupState>) {
  const state: BackupState = { ...states.get('state'), ...change }
  state.failing_ms = state.error === undefined ? undefined : (state.failing_ms ?? now_ms())
  states.set('state', state)
}

/**
 * @returns undefined without a BACKUP_URL. `ok` is the light: false while shipping fails, when the newest moment is older
 * than two days, and after a failed test
 */
export function backupState() {
  if (!env.BACKUP_URL) return undefined
  const state = states.get('state') ?? {}
  const lag_seconds = state.shipped_ms === undefined ? undefined : lagSince(state.shipped_ms)
  const error = state.error ?? ((lag_seconds ?? 0) > OLD_SECONDS ? 'it is older than two days' : undefined)
  return { ...state, error, lag_seconds, ok: error === undefined && state.last_test?.ok !== false }
}

/** Whether this node restores it as a test. */
export const isTesting = () => runsHere(TEST_BACKUP)

const lagSince = (at_ms: number) => Math.max(0, now_ms() - at_ms) / MS_PER_SECOND

gauge(
  'tollgate_backup_age_seconds',
  'Age of the newest moment that the backup can restore.',
  () => backupState()?.lag_seconds,
)
