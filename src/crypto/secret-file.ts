/** The installation's secret: SECRET_KEY, or the file DATA_DIR/secret.key, which the first start writes. */
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { env } from '../env.ts'
import { now } from '../process/clock.ts'
import { StartupError } from '../process/shutdown.ts'
import { onReset } from '../process/stores.ts'

const SECRET_BYTES = 32
const SECRET_LENGTH_MIN = 16

let secret: Buffer | undefined
onReset('secret', () => {
  secret = undefined
})

/** Every key of this installation is derived from it. @throws StartupError when the file cannot be used */
export function masterSecret(): Buffer {
  secret ??= Buffer.from(env.SECRET_KEY ?? readSecretFile())
  return secret
}

const pathOf = () => join(env.DATA_DIR, 'secret.key')
/** The secret of a rotation that has not ended: it lies there before the database is sealed under it. */
const stagedPathOf = () => `${pathOf()}.new`

export const hasSecretFile = () => existsSync(pathOf())

function readSecretFile(): string {
  const path = pathOf()
  try {
    if (!existsSync(path)) createSecretFile(path)
    return readSecret(path)
  } catch (error) {
    throw new StartupError(`cannot use the secret key in ${path}: ${(error as Error).message}`)
  }
}

function readSecret(path: string): string {
  const text = readFileSync(path, 'utf8').trim()
  if (text.length < SECRET_LENGTH_MIN) throw new Error('it is empty or cut short')
  return text
}

export const newSecret = () => randomBytes(SECRET_BYTES).toString('base64url')

/** @returns undefined when there is none, or a write of it broke off */
export function stagedSecret(): string | undefined {
  try {
    return readSecret(stagedPathOf())
  } catch {
    return undefined
  }
}

/** Keeps the next secret beside the present one, on the disk when this returns. @throws StartupError */
export function stageSecret(text: string) {
  const path = stagedPathOf()
  try {
    rmSync(path, { force: true })
    writeFileSync(path, `${text}\n`, { mode: 0o600, flush: true })
    chmodSync(path, 0o600)
    syncFolder()
  } catch (error) {
    throw new StartupError(`cannot write the new secret key to ${path}: ${(error as Error).message}`)
  }
}

export const dropStagedSecret = () => rmSync(stagedPathOf(), { force: true })

/** Puts the staged secret in place of the present one, which is kept under another name. @returns that name */
export function adoptStagedSecret(): string {
  const path = pathOf()
  const backup = `${path}.until-${new Date(now() * 1000).toISOString().slice(0, 19).replace(/\D/g, '')}`
  if (existsSync(path) && !existsSync(backup)) linkSync(path, backup)
  renameSync(stagedPathOf(), path)
  syncFolder()
  secret = undefined
  return backup
}

/** Puts the names of new and renamed files on the disk. */
function syncFolder() {
  const folder = openSync(env.DATA_DIR, 'r')
  fsyncSync(folder)
  closeSync(folder)
}

/** Written under another name and then linked: of two processes that start together, both read the same whole file. */
function createSecretFile(path: string) {
  mkdirSync(env.DATA_DIR, { recursive: true })
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${newSecret()}\n`, { mode: 0o600 })
  chmodSync(draft, 0o600)
  try {
    linkSync(draft, path)
  } catch (error) {
    if (!existsSync(path)) throw error
  } finally {
    rmSync(draft)
  }
}
