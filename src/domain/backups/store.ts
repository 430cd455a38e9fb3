/** Where backups are kept: a folder, or a bucket of S3. What hangs fails after a time. */
import { promises as files } from 'node:fs'
import { dirname, join } from 'node:path'
import { randomKey } from '../../crypto/random-id.ts'
import { env } from '../../env.ts'

export interface BackupStore {
  /** What people know it by. */
  name: string
  put(name: string, bytes: Uint8Array): Promise<void>
  /** @returns undefined for what is not there */
  get(name: string): Promise<Uint8Array | undefined>
  /** Names that begin with a text, in their order. */
  list(prefix?: string): Promise<string[]>
  remove(name: string): Promise<void>
}

const TIMEOUT_MS = 30_000
/** Of the names of all objects, which come by the thousand. */
const LIST_TIMEOUT_MS = 300_000
/** Uploads that never end are not joined by more than so many others, which hold memory. */
const HANGING_MAX = 4
const PARTIAL = '.partial'

export function storeAt(url: string): BackupStore {
  const [, bucket, prefix = ''] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(url) ?? []
  return withinTime(bucket === undefined ? folderAt(url) : bucketAt(url, bucket, prefix.replace(/\/*$/, '')))
}

function withinTime(store: BackupStore): BackupStore {
  let open = 0
  const timed = <T>(request: () => Promise<T>, most = Number.POSITIVE_INFINITY, ms = TIMEOUT_MS): Promise<T> => {
    if (open >= most) return Promise.reject(new Error(`${store.name} does not answer`))
    open++
    const { promise, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(new Error(`${store.name} does not answer`)), ms)
    const done = request().finally(() => open--)
    return Promise.race([done, promise]).finally(() => clearTimeout(timer))
  }
  return {
    name: store.name,
    put: (name, bytes) => timed(() => store.put(name, bytes), HANGING_MAX),
    get: name => timed(() => store.get(name)),
    list: prefix => timed(() => store.list(prefix), undefined, LIST_TIMEOUT_MS),
    remove: name => timed(() => store.remove(name)),
  }
}

const isAbsent = (error: unknown) => ['ENOENT', 'ENOTDIR', 'NoSuchKey'].includes((error as { code: string }).code)

/** A file has its name when it is whole and on the disk. */
function folderAt(root: string): BackupStore {
  return {
    name: root,
    async put(name, bytes) {
      const path = join(root, name)
      const partial = `${path}.${randomKey(6)}${PARTIAL}`
      await files.mkdir(dirname(path), { recursive: true })
      try {
        await files.writeFile(partial, bytes, { flush: true, mode: 0o600 })
        await files.rename(partial, path)
      } catch (error) {
        await files.rm(partial, { force: true })
        throw error
      }
    },
    get: name =>
      files.readFile(join(root, name)).catch(error => {
        if (isAbsent(error)) return undefined
        throw error
      }),
    async list(prefix = '') {
      const found = await files.readdir(root, { recursive: true, withFileTypes: true }).catch(error => {
        if (isAbsent(error)) return []
        throw error
      })
      return found
        .filter(entry => entry.isFile() && !entry.name.endsWith(PARTIAL))
        .map(entry => join(entry.parentPath, entry.name).slice(join(root, '/').length))
        .filter(name => name.startsWith(prefix))
        .sort()
    },
    async remove(name) {
      await files.rm(join(root, name), { force: true })
      // The folders of a name go with the last object in them.
      for (let folder = dirname(name); folder !== '.'; folder = dirname(folder))
        await files.rmdir(join(root, folder)).catch(() => {})
    },
  }
}

function bucketAt(url: string, bucket: string, prefix: string): BackupStore {
  const client = new Bun.S3Client({
    ...{ bucket, endpoint: env.S3_ENDPOINT, region: env.S3_REGION },
    ...{ accessKeyId: env.S3_ACCESS_KEY_ID, secretAccessKey: env.S3_SECRET_ACCESS_KEY },
  })
  const root = prefix && `${prefix}/`
  return {
    name: url,
    put: async (name, bytes) => void (await client.write(root + name, bytes, { retry: 0 })),
    get: name =>
      client
        .file(root + name)
        .bytes()
        .catch(error => {
          if (isAbsent(error)) return undefined
          throw error
        }),
    async list(begin = '') {
      const names: string[] = []
      let startAfter: string | undefined
      for (;;) {
        const page = await client.list({ prefix: root + begin, startAfter })
        const keys = (page.contents ?? []).map(({ key }) => key)
        names.push(...keys.map(key => key.slice(root.length)))
        if (!page.isTruncated || !keys.length) return names.sort()
        startAfter = keys.at(-1)
      }
    },
    remove: name => client.delete(root + name),
  }
}
