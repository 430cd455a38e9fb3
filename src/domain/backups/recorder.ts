/**
 * Ships the write-ahead log as it is written. Calls never wait for it: looks read what was committed from memory of the
 * system, uploads run beside. What is not shipped stays in the log; past a size the log is let go and a new generation begins.
 */
import { WalFollower, type WalPart } from '../../db/wal/follower.ts'
import { now_ms } from '../../process/clock.ts'
import { log, reason } from '../../process/log.ts'
import { Bundler } from './bundler.ts'
import { GapKeeper } from './gap.ts'
import { newestIn, newGeneration, objectsIn, type Snapshot, segmentName } from './names.ts'
import { prune } from './prune.ts'
import { segmentOf } from './segment.ts'
import { SNAPSHOT_EVERY_MS, takeSnapshot } from './snapshot.ts'
import { noteBackup } from './state.ts'
import { type BackupStore, storeAt } from './store.ts'
import { openVault, type Vault } from './vault.ts'

interface LogPart extends WalPart {
  number: number
  at_ms: number
  /** Of what a checkpoint has taken out of the log. */
  loaded?: Buffer
}

const LOOK_EVERY_MS = 1000
/** As SQLite's own checkpoints: a thousand pages. */
const CHECKPOINT_BYTES = 4_096_000
/** Of what waits; more of it stays in the log. */
const LOADED_BYTES_MAX = 8_388_608
/** Size of the log past which it is let go. */
export const LOG_BYTES_MAX = 268_435_456
/** Past it, what is committed in further seconds is one segment and can be restored together only. */
const WAITING_MAX = 3600
const RETRY_MS = { first: 1000, max: 30_000 }
const LAST_UPLOAD_MAX_MS = 10_000

export class Recorder {
  readonly #store: BackupStore
  #vault: Vault | undefined
  #follower: WalFollower | undefined
  #bundler: Bundler | undefined
  #generation = ''
  #next = 0
  #waiting: LogPart[] = []
  #looked_ms = 0
  #snapshot_ms = 0
  #isSnapshotting = false
  /** Whether the generation can be restored. */
  #isWhole = false
  #shipping: Promise<void> | undefined
  #retry_ms = 0
  #pause_until_ms = 0
  #isEnding = false
  #isStarting = false
  readonly #gap: GapKeeper
  readonly #timer: Timer

  constructor(
    url: string,
    private readonly path: string,
  ) {
    this.#store = storeAt(url)
    this.#gap = new GapKeeper(path, now_ms())
    this.#timer = setInterval(() => this.#tick(), LOOK_EVERY_MS)
    this.#tick()
  }

  #tick() {
    try {
      if (this.#follower) this.#look(this.#follower)
      else if (!this.#isStarting && now_ms() >= this.#pause_until_ms) void this.#start()
    } catch (error) {
      this.#letGo(error as Error)
    }
    this.#ship()
  }

  /** The store has to answer before the log is held. */
  async #start() {
    this.#isStarting = true
    try {
      this.#vault ??= await openVault(this.#store, 'make')
      if (this.#isEnding) return
      const start_ms = now_ms()
      this.#follower = new WalFollower(this.path)
      this.#bundler = new Bundler(this.#store)
      this.#generation = newGeneration(start_ms)
      this.#next = 0
      this.#snapshot_ms = 0
      this.#isWhole = false
      this.#waiting = []
    } catch (error) {
      this.#failed(error)
    } finally {
      this.#isStarting = false
    }
  }

  #look(follower: WalFollower) {
    const at_ms = now_ms()
    for (const part of follower.look()) this.#add(part, at_ms)
    this.#looked_ms = at_ms
    const isDue = Math.abs(at_ms - this.#snapshot_ms) >= SNAPSHOT_EVERY_MS && at_ms >= this.#pause_until_ms
    const isLong = follower.log_bytes > CHECKPOINT_BYTES
    if ((isDue || isLong) && !this.#isSnapshotting) this.#checkpoint(follower, at_ms, isDue)
    // Without checkpoints the log grows during a snapshot, which takes as long as the file is large.
    const most = this.#isSnapshotting ? Math.max(LOG_BYTES_MAX, follower.file_bytes()) : LOG_BYTES_MAX
    if (follower.log_bytes > most) throw new Error('the backup is too far behind')
  }

  #add(part: WalPart, at_ms: number) {
    const last = this.#waiting.at(-1)
    if (last && !last.loaded && last.to === part.from && this.#waiting.length > WAITING_MAX)
      Object.assign(last, { to: part.to, pages: part.pages, at_ms })
    else this.#waiting.push({ ...part, number: this.#next++, at_ms })
  }

  /** What waits is read before: the next write may overwrite the log. */
  #checkpoint(follower: WalFollower, at_ms: number, thenSnapshot: boolean) {
    // Nothing can be restored from what was committed before the first snapshot.
    if (!this.#snapshot_ms) this.#waiting = []
    const bytes = this.#waiting.reduce((sum, { from, to }) => sum + to - from, 0)
    if (bytes > LOADED_BYTES_MAX) return
    for (const part of this.#waiting) part.loaded ??= this.#bytesOf(follower, part)
    if (follower.checkpoint() && thenSnapshot)
      void this.#snapshot(follower, { generation: this.#generation, next: this.#next, at_ms })
  }

  #bytesOf = (follower: WalFollower, part: WalPart) => segmentOf({ ...follower.read(part), pages: part.pages })

  async #snapshot(follower: WalFollower, snapshot: Snapshot) {
    const isFirst = !this.#snapshot_ms
    this.#isSnapshotting = true
    this.#snapshot_ms = snapshot.at_ms
    try {
      await takeSnapshot(this.#vault!, this.path, snapshot, follower.file_bytes(), () => follower === this.#follower)
      if (follower !== this.#follower) return
      this.#isWhole = true
      noteBackup({ last_snapshot_ms: snapshot.at_ms })
      void this.#closeGap(snapshot).then(this.#prune)
    } catch (error) {
      this.#failed(error)
      // A generation is worth nothing without its first snapshot.
      if (isFirst && follower === this.#follower) this.#letGo(error as Error)
      else if (follower === this.#follower) this.#snapshot_ms = 1
    } finally {
      this.#isSnapshotting = false
    }
  }

  /** What fails is done after the next snapshot. */
  async #closeGap({ generation, at_ms }: Snapshot) {
    const newest = async () => {
      const names = await this.#store.list().catch(() => [])
      return newestIn(objectsIn(names).filter(object => object.generation < generation))
    }
    try {
      await this.#gap.close(this.#store, at_ms, newest)
    } catch (error) {
      log.warn('the gap of the backup was not stored', { store: this.#store.name, reason: reason(error) })
    }
  }

  /** What fails or is left is done after the next snapshot. */
  #prune = () =>
    prune(this.#store, () => !this.#isEnding).catch(error =>
      log.warn('old backups were not deleted', { store: this.#store.name, reason: reason(error) }),
    )

  #ship() {
    if (this.#shipping || !this.#follower || now_ms() < this.#pause_until_ms) return
    this.#shipping = this.#shipWaiting(this.#follower).finally(() => {
      this.#shipping = undefined
    })
  }

  async #shipWaiting(follower: WalFollower) {
    try {
      while (follower === this.#follower && this.#snapshot_ms) {
        const part = this.#waiting[0]
        if (!part) {
          if (!this.#isSnapshotting) this.#succeeded(this.#looked_ms)
          return
        }
        const { number, at_ms } = part
        const bytes = part.loaded ?? this.#bytesOf(follower, part)
        const segment = { generation: this.#generation, number, at_ms }
        const stored = await this.#vault!.write(segmentName(segment), bytes)
        if (follower !== this.#follower) return
        this.#waiting.shift()
        this.#bundler!.add({ ...segment, bytes: stored })
        this.#succeeded(at_ms)
      }
    } catch (error) {
      this.#failed(error)
    }
  }

  #succeeded(shipped_ms: number) {
    if (this.#retry_ms) log.info('the backup goes on', { store: this.#store.name })
    this.#retry_ms = 0
    if (!this.#isWhole) return
    noteBackup({ shipped_ms, error: undefined })
    this.#gap.caughtUp()
  }

  #failed(error: unknown) {
    if (this.#isWhole) this.#gap.behind()
    else this.#gap.open()
    if (!this.#retry_ms)
      log.warn('the backup has stopped; calls go on', { store: this.#store.name, reason: reason(error) })
    this.#retry_ms = Math.min(RETRY_MS.max, this.#retry_ms * 2 || RETRY_MS.first)
    this.#pause_until_ms = now_ms() + this.#retry_ms
    noteBackup({ error: (error as Error).message })
  }

  /** The next generation begins with a snapshot, when the store answers. */
  #letGo(error: Error) {
    if (this.#isWhole)
      log.warn('the backup begins anew with a snapshot', { store: this.#store.name, reason: reason(error) })
    this.#isWhole = false
    this.#failed(error)
    this.#vault = undefined
    this.#follower?.close()
    this.#follower = undefined
    this.#waiting = []
  }

  /** Ships what was committed until now. The database closes behind it. */
  async end() {
    this.#isEnding = true
    clearInterval(this.#timer)
    const last = async () => {
      this.#tick()
      await this.#shipping
      this.#ship()
      await this.#shipping
    }
    await Promise.race([last().catch(() => {}), Bun.sleep(LAST_UPLOAD_MAX_MS)])
    this.#follower?.close()
    this.#follower = undefined
  }
}
