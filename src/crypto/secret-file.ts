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
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { env } from '../env.ts'
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

const secretPath = () => join(env.DATA_DIR, 'secret.key')
const nextPath = () => `${secretPath()}.next`

/** Writes the secret that will follow, beside the current one. */
export function stageSecret(text: string) {
  rmSync(nextPath(), { force: true })
  const file = openSync(nextPath(), 'wx', 0o600)
  writeSync(file, `${text}\n`)
  // On the disk before the database is sealed under it.
  fsyncSync(file)
  closeSync(file)
}

/** @returns undefined when no secret waits to follow */
export const stagedSecret = (): Buffer | undefined =>
  !env.SECRET_KEY && existsSync(nextPath()) ? Buffer.from(readFileSync(nextPath(), 'utf8').trim()) : undefined

/** Puts the staged secret in the place of the current one, which stays as `secret.key.old` for older backups. */
export function adoptStaged() {
  rmSync(`${secretPath()}.old`, { force: true })
  linkSync(secretPath(), `${secretPath()}.old`)
  renameSync(nextPath(), secretPath())
  secret = undefined
}

export const dropStaged = () => rmSync(nextPath(), { force: true })

export const newSecret = () => randomBytes(SECRET_BYTES).toString('base64url')

function readSecretFile(): string {
  const path = secretPath()
  try {
    if (!existsSync(path)) createSecretFile(path)
    const text = readFileSync(path, 'utf8').trim()
    if (text.length < SECRET_LENGTH_MIN) throw new Error('it is empty or cut short')
    return text
  } catch (error) {
    throw new StartupError(`cannot use the secret key in ${path}: ${(error as Error).message}`)
  }
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
