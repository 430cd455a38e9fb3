/** A spool: bytes to read again, in memory up to 1 MiB, else in an unlinked temporary file. */
import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Bytes of a spool that are in memory. */
export const IN_MEMORY_MAX = 1_048_576
const CHUNK_BYTES = 65_536

export class Spool {
  #chunks: Uint8Array[] = []
  #memory_bytes = 0
  #file: FileHandle | undefined
  #file_bytes = 0

  /** Number of bytes added so far. */
  get size(): number {
    return this.#file_bytes + this.#memory_bytes
  }

  async add(bytes: Uint8Array) {
    this.#chunks.push(bytes)
    this.#memory_bytes += bytes.byteLength
    if (this.#memory_bytes > IN_MEMORY_MAX || this.#file) await this.#spill()
  }

  async #spill() {
    this.#file ??= await unlinkedFile()
    for (const chunk of this.#chunks) {
      await this.#file.write(chunk, 0, chunk.byteLength, this.#file_bytes)
      this.#file_bytes += chunk.byteLength
    }
    this.#chunks = []
    this.#memory_bytes = 0
  }

  /** The bytes from one offset to another, in chunks. */
  async *read(from: number, to: number): AsyncGenerator<Uint8Array> {
    if (!this.#file) {
      yield* within(this.#chunks, from, to)
      return
    }
    for (let at = from; at < to; ) {
      const bytes = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, to - at))
      const { bytesRead } = await this.#file.read(bytes, 0, bytes.byteLength, at)
      if (!bytesRead) return
      at += bytesRead
      yield bytes.subarray(0, bytesRead)
    }
  }

  /** Frees everything; may be called again. */
  async close() {
    const file = this.#file
    this.#file = undefined
    this.#chunks = []
    await file?.close()
  }
}

function* within(chunks: Uint8Array[], from: number, to: number): Generator<Uint8Array> {
  let start = 0
  for (const chunk of chunks) {
    const part = chunk.subarray(Math.max(0, from - start), Math.max(0, to - start))
    if (part.byteLength) yield part
    start += chunk.byteLength
  }
}

/** Unlinked at once, so that the file is gone when the process ends in any way. */
async function unlinkedFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `tollgate-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  return file
}
