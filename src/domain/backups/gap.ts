/**
 * The last gap: seconds that cannot be restored by themselves. Until it is closed it stands beside the database, and
 * from then on in the backup, so that a process that starts knows it.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { env } from '../../env.ts'
import { now_ms } from '../../process/clock.ts'
import { log, reason } from '../../process/log.ts'
import { type BackupGap, backupState, noteBackup } from './state.ts'
import type { BackupStore } from './store.ts'

const OBJECT = 'gap.json'
const DAY_MS = 86_400_000

/** Without a `from_ms` the store alone knows how far the backup has come. */
type Mark = Partial<BackupGap>

/** Of the process that uploads the backup. */
export class GapKeeper {
  readonly #path: string
  #mark: Mark | undefined

  /** @param database path of its file. @param begun_ms of this process */
  constructor(
    database: string,
    private readonly begun_ms: number,
  ) {
    this.#path = `${database}-behind`
    this.#mark = existsSync(this.#path) ? (gapIn(readFileSync(this.#path)) ?? {}) : undefined
    if (this.#mark) noteBackup({ gap: { from_ms: begun_ms, ...this.#mark } })
  }

  /** An upload fails: unless it is caught up with, what is committed from now on is in the next snapshot alone. */
  behind() {
    if (this.#mark && !this.#mark.to_ms) return
    const { shipped_ms } = backupState() ?? {}
    this.#keep(shipped_ms === undefined ? {} : { from_ms: shipped_ms })
  }

  /** Nothing can be restored from now on, until there is a new snapshot. */
  open() {
    const { gap } = backupState() ?? {}
    this.behind()
    if (!gap || gap.to_ms) noteBackup({ gap: { from_ms: this.begun_ms, ...this.#mark } })
  }

  /** All that was committed is in the backup, second by second. */
  caughtUp() {
    if (this.#mark && !this.#mark.to_ms && !isOpen()) this.#forget()
  }

  /** @param to_ms moment of a snapshot. @param newest_ms of the histories before it, asked where this process does not know it */
  async close(store: BackupStore, to_ms: number, newest_ms: () => Promise<number | undefined>) {
    if (isOpen()) {
      const from_ms = this.#mark?.from_ms ?? (await newest_ms()) ?? this.begun_ms
      this.#keep({ from_ms, to_ms })
      noteBackup({ gap: { from_ms, to_ms } })
    }
    if (!this.#mark?.to_ms) return
    await store.put(OBJECT, Buffer.from(JSON.stringify(this.#mark)))
    this.#forget()
  }

  #keep(mark: Mark) {
    this.#mark = mark
    try {
      writeFileSync(this.#path, JSON.stringify(mark))
    } catch (error) {
      log.warn('the gap of the backup is not kept for the next start', { reason: reason(error) })
    }
  }

  #forget() {
    this.#mark = undefined
    rmSync(this.#path, { force: true })
  }
}

function isOpen(): boolean {
  const { gap } = backupState() ?? {}
  return gap !== undefined && !gap.to_ms
}

/** @returns undefined when there was none in the days that can be restored */
export async function storedGap(store: BackupStore): Promise<BackupGap | undefined> {
  const bytes = await store.get(OBJECT)
  const { from_ms, to_ms } = (bytes && gapIn(bytes)) ?? {}
  if (!from_ms || !to_ms || to_ms < now_ms() - env.BACKUP_KEEP * DAY_MS) return undefined
  return { from_ms, to_ms }
}

/** @returns undefined for bytes that are no mark, as after a crash amid writing */
function gapIn(bytes: Uint8Array): Mark | undefined {
  try {
    const { from_ms, to_ms } = JSON.parse(new TextDecoder().decode(bytes))
    return { ...(Number.isFinite(from_ms) && { from_ms }), ...(Number.isFinite(to_ms) && { to_ms }) }
  } catch {
    return undefined
  }
}
