/** Where results are kept: a folder, or a bucket of S3. */
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { env } from '../../env.ts'

interface Place {
  /** Absent for a folder. */
  bucket?: string
  /** Folder, or prefix in the bucket. */
  root: string
}

function place(): Place {
  const url = env.RESULTS_URL ?? ''
  const [, bucket, root = ''] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(url) ?? []
  return bucket === undefined ? { root: url } : { bucket, root }
}

/** What files of a folder and of S3 have in common. */
interface ResultFile {
  slice(begin: number, end: number): Blob
  delete(): Promise<void>
  writer(options?: object): ResultWriter
}

interface ResultWriter {
  write(chunk: Uint8Array): number | Promise<number>
  flush(): number | Promise<number>
  end(error?: Error): number | Promise<number>
}

function fileAt(key: string): ResultFile {
  const { bucket, root } = place()
  const path = join(root, key)
  if (bucket !== undefined) return s3(bucket).file(path) as unknown as ResultFile
  return Bun.file(path) as unknown as ResultFile
}

const s3 = (bucket: string) =>
  new Bun.S3Client({
    ...{ bucket, endpoint: env.S3_ENDPOINT, region: env.S3_REGION },
    ...{ accessKeyId: env.S3_ACCESS_KEY_ID, secretAccessKey: env.S3_SECRET_ACCESS_KEY },
  })

/** A folder has to be there; S3 has none. */
function makeFolder(key: string) {
  const { bucket, root } = place()
  if (bucket === undefined) mkdirSync(dirname(join(root, key)), { recursive: true })
}

type Chunks = AsyncIterable<Uint8Array>

/** An upload that breaks off leaves no file. @returns its size. @throws what `chunks` throw */
export async function writeResult(key: string, type: string, chunks: Chunks): Promise<number> {
  makeFolder(key)
  const writer = fileAt(key).writer({ type })
  let bytes = 0
  try {
    for await (const chunk of chunks) {
      bytes += chunk.byteLength
      await writer.write(chunk)
      await writer.flush()
    }
    await writer.end()
    return bytes
  } catch (error) {
    // S3 stores what has come, whatever the writer is told: it is deleted once it is there.
    await Promise.resolve(writer.end()).catch(() => {})
    await deleteResult(key)
    throw error
  }
}

/** @param from first byte. @param to last byte, included */
export const readResult = (key: string, from: number, to: number): ReadableStream<Uint8Array> =>
  fileAt(key)
    .slice(from, to + 1)
    .stream()

/** Never throws: a file that is not there is deleted. */
export const deleteResult = (key: string): Promise<void> =>
  fileAt(key)
    .delete()
    .catch(() => {})
