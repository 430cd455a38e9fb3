/**
 * Follows the write-ahead log of the database of this process. A read transaction on a connection of its own keeps SQLite
 * from starting the log anew: that happens at its checkpoints alone, when all that the log has was read.
 */
import { Database } from 'bun:sqlite'
import { closeSync, openSync, statSync } from 'node:fs'
import { keepCheckpoints } from '../database.ts'
import { commitsAfter, pagesBetween, readHeader, startOf, type WalHeader, type WalPosition } from './frames.ts'

/** What was committed between two looks. */
export interface WalPart {
  from: number
  to: number
  /** Size of the database after it. */
  pages: number
}

/** Another process has started the log anew, and what stood in it was not read. */
export class LostLog extends Error {}

/** A part is cut behind the transaction that makes it as long. */
const PART_BYTES = 8_388_608

export class WalFollower {
  readonly #holder: Database
  readonly #file: number
  #header: WalHeader | undefined
  #position: WalPosition | undefined
  /** Whether all of the log is in the database, so that the next write may start it anew. */
  #isCopied = false

  /** @param path of the database, which this process has open */
  constructor(private readonly path: string) {
    this.#holder = new Database(path, { readwrite: true })
    this.#holder.run('PRAGMA wal_autocheckpoint = 0')
    this.#file = openSync(`${path}-wal`, 'r')
    keepCheckpoints(true)
    this.#hold()
    this.#header = readHeader(this.#file)
    this.#position = this.#header && startOf(this.#header)
  }

  /** Bytes of the log that are in use. */
  get log_bytes(): number {
    return this.#isCopied ? 0 : (this.#position?.offset ?? 0)
  }

  /** @returns what was committed since the last look. @throws LostLog */
  look(): WalPart[] {
    const header = readHeader(this.#file)
    if (header?.salts !== this.#header?.salts) {
      if (this.#header && !this.#isCopied) throw new LostLog('another process has emptied the write-ahead log')
      this.#header = header
      this.#position = header && startOf(header)
      this.#isCopied = false
    }
    return header ? this.#parts(header) : []
  }

  #parts(header: WalHeader): WalPart[] {
    const parts: WalPart[] = []
    let from = this.#position!.offset
    for (const commit of commitsAfter(this.#file, header, this.#position!)) {
      this.#position = commit
      this.#isCopied = false
      if (commit.offset - from < PART_BYTES) continue
      parts.push({ from, to: commit.offset, pages: commit.pages })
      from = commit.offset
    }
    const { offset, pages } = this.#position!
    if (offset > from) parts.push({ from, to: offset, pages })
    return parts
  }

  /** @returns the last image of each page of a part of the log as it stands now */
  read({ from, to }: WalPart) {
    return { page_bytes: this.#header!.page_bytes, ...pagesBetween(this.#file, this.#header!, from, to) }
  }

  /**
   * Copies the log into the database. Runs in one tick with the look before it, whose parts have to be kept: the next write
   * may start the log anew.
   * @returns whether the database file has all that was committed, and stays as it is until the next call
   */
  checkpoint(): boolean {
    const before = this.#position?.offset
    const salts = readHeader(this.#file)?.salts
    this.#holder.run('ROLLBACK')
    const { busy, log, checkpointed } = this.#holder
      .query<{ busy: number; log: number; checkpointed: number }, []>('PRAGMA wal_checkpoint(PASSIVE)')
      .get()!
    this.#hold()
    // What another process has committed meanwhile was not read yet.
    const isSame = readHeader(this.#file)?.salts === salts && !this.#hasMore(before)
    this.#isCopied = isSame && busy === 0 && log === checkpointed
    return this.#isCopied
  }

  #hasMore(before: number | undefined): boolean {
    if (!this.#header || before === undefined) return readHeader(this.#file) !== undefined
    return !commitsAfter(this.#file, this.#header, this.#position!).next().done
  }

  /** Size of the database file, which does not change between two checkpoints. */
  file_bytes = () => statSync(this.path).size

  #hold() {
    this.#holder.run('BEGIN')
    this.#holder.query('select count(*) from sqlite_schema').get()
  }

  close() {
    this.#holder.run('ROLLBACK')
    this.#holder.close()
    closeSync(this.#file)
    keepCheckpoints(false)
  }
}
