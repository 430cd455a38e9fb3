/** Bytes that are kept to be read again: in memory while they are few, else in a file that nobody else can open. */
import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const IN_MEMORY_MAX = 1_048_576
const PIECE_BYTES = 65_536

export class Spool {
  #pieces: Uint8Array[] = []
  #in_memory = 0
  #file: FileHandle | undefined
  #written = 0

  /** Bytes that were put in so far. */
  get size(): number {
    return this.#written + this.#in_memory
  }

  async add(bytes: Uint8Array) {
    this.#pieces.push(bytes)
    this.#in_memory += bytes.byteLength
    if (this.#in_memory > IN_MEMORY_MAX || this.#file) await this.#spill()
  }

  async #spill() {
    this.#file ??= await unnamedFile()
    for (const piece of this.#pieces) {
      await this.#file.write(piece, 0, piece.byteLength, this.#written)
      this.#written += piece.byteLength
    }
    this.#pieces = []
    this.#in_memory = 0
  }

  /** What stands from one place to another, piece by piece. */
  async *read(from: number, to: number): AsyncGenerator<Uint8Array> {
    if (!this.#file) {
      yield* within(this.#pieces, from, to)
      return
    }
    for (let at = from; at < to; ) {
      const bytes = Buffer.allocUnsafe(Math.min(PIECE_BYTES, to - at))
      const { bytesRead } = await this.#file.read(bytes, 0, bytes.byteLength, at)
      if (!bytesRead) return
      at += bytesRead
      yield bytes.subarray(0, bytesRead)
    }
  }

  /** Forgets all of it; may be called again. */
  async close() {
    const file = this.#file
    this.#file = undefined
    this.#pieces = []
    await file?.close()
  }
}

function* within(pieces: Uint8Array[], from: number, to: number): Generator<Uint8Array> {
  let start = 0
  for (const piece of pieces) {
    const part = piece.subarray(Math.max(0, from - start), Math.max(0, to - start))
    if (part.byteLength) yield part
    start += piece.byteLength
  }
}

/** Without a name from the start: when the process ends, however it ends, the file is gone. */
async function unnamedFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `tollgate-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  return file
}
