/** A database that was uploaded to a site that is not set up: checked first, then moved in. One at a time on each node. */
import { promises as files, rmSync } from 'node:fs'
import { join } from 'node:path'
import { IMPORT_FOLDER, type MoveReport } from '../../contracts/moving-in.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { randomKey } from '../../crypto/random-id.ts'
import { db } from '../../db/database.ts'
import { openForeign } from '../../db/foreign/open.ts'
import { env } from '../../env.ts'
import { setCoarseTimer } from '../../process/coarse-timer.ts'
import { log, reason } from '../../process/log.ts'
import { onShutdown } from '../../process/shutdown.ts'
import { onReset } from '../../process/stores.ts'
import { hasRoot } from '../setup/index.ts'
import { CannotMove } from './cannot-move.ts'
import { type MoveWishes, moveIn } from './service.ts'
import { moves } from './table.ts'

export interface UploadFile {
  path: string
  /** As its owner calls it. */
  name: string
  write(bytes: Uint8Array): Promise<void>
  close(): Promise<void>
}

export type UploadWishes = Pick<MoveWishes, 'prices' | 'logDays'>

export interface Upload {
  /** Known to those alone who have sent it. */
  id: string
  path: string
  name: string
  wishes: UploadWishes
  /** Of the dry run. */
  report: MoveReport
  state: 'checked' | 'running' | 'failed'
  /** Rows so far. */
  counts?: MoveReport['counts']
  failure?: unknown
}

let current: Upload | undefined
let cancelExpiry = () => {}
onReset('upload', () => {
  current = undefined
  cancelExpiry()
})

const KEPT_MS = 3_600_000
const ID_LENGTH = 32
const OWNER_ONLY = 0o600
const OWNER_FOLDER = 0o700

/** Beside the database, where there is room; what a process that was killed has left goes with the next upload or start. */
const folder = () => join(env.DATA_DIR, IMPORT_FOLDER)

const isMovingIn = () => current?.state === 'running'

/** While a database moves in, no other root is made. @throws Refusal 409 */
export function checkNoImport() {
  if (isMovingIn()) throw new Refusal('moving.refused_running', {}, 409)
}

/**
 * Whether a database may be uploaded to a site that is not set up: a root that is here has come by an import that broke
 * off, and `chooseRoot` takes only the rest of that one.
 */
export const mayUpload = async () => !(await hasRoot()) || (await db.select().from(moves)).length > 0

/** Takes the place of an earlier upload. @throws CannotMove while one moves in, or when there is no place for it */
export async function beginUpload(name: string): Promise<UploadFile> {
  if (isMovingIn()) throw new CannotMove('moving.refused_running')
  discardUpload()
  const path = join(folder(), randomKey(ID_LENGTH))
  try {
    await files.mkdir(folder(), { recursive: true, mode: OWNER_FOLDER })
    const file = await files.open(path, 'wx', OWNER_ONLY)
    const write = async (bytes: Uint8Array) => void (await file.writeFile(bytes).catch(noPlace))
    return { path, name, write, close: () => file.close() }
  } catch (error) {
    return noPlace(error)
  }
}

function noPlace(error: unknown): never {
  log.warn('upload not stored', { reason: reason(error) })
  throw new CannotMove('moving.refused_no_place')
}

/** Reads it as a dry run. @throws CannotMove, UnusableDatabase: then the file is gone */
export async function checkUpload({ path, name }: Pick<UploadFile, 'path' | 'name'>, wishes: UploadWishes) {
  try {
    const report = await moved({ path, name, wishes }, { isDry: true })
    current = { id: randomKey(ID_LENGTH), path, name, wishes, report, state: 'checked' }
    cancelExpiry = setCoarseTimer(KEPT_MS, discardUpload)
    return current
  } catch (error) {
    discardUpload()
    throw error
  }
}

/** @returns undefined for an id that is not known, or not any more */
export const uploadOf = (id: string): Upload | undefined => (current?.id === id ? current : undefined)

/** Begins to carry it; its state says how it goes, and after the end it is unknown. Does nothing for one that has begun. */
export function startMove(upload: Upload) {
  if (upload.state !== 'checked') return
  upload.state = 'running'
  cancelExpiry()
  const watch = (counts: MoveReport['counts']) => {
    upload.counts = counts
  }
  moved(upload, { isDry: false, watch }).then(
    () => discardUpload(),
    error => {
      log.error('import broke off', { reason: reason(error) })
      rmSync(folder(), { recursive: true, force: true })
      Object.assign(upload, { state: 'failed', failure: error })
    },
  )
}

type UploadSource = Pick<Upload, 'path' | 'name' | 'wishes'>

async function moved(
  { path, name, wishes }: UploadSource,
  how: Pick<MoveWishes, 'isDry' | 'watch'>,
): Promise<MoveReport> {
  const database = await openForeign(path)
  try {
    return await moveIn({ ...database, name }, { ...wishes, ...how, root: 'theirs' })
  } finally {
    await database.close()
  }
}

export function discardUpload() {
  cancelExpiry()
  current = undefined
  rmSync(folder(), { recursive: true, force: true })
}
onShutdown('flush', discardUpload)
