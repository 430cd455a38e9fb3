/** The installation's secret: SECRET_KEY, or the file DATA_DIR/secret.key, which the first start writes. */
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

function readSecretFile(): string {
  const path = join(env.DATA_DIR, 'secret.key')
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
  writeFileSync(draft, `${randomBytes(SECRET_BYTES).toString('base64url')}\n`, { mode: 0o600 })
  chmodSync(draft, 0o600)
  try {
    linkSync(draft, path)
  } catch (error) {
    if (!existsSync(path)) throw error
  } finally {
    rmSync(draft)
  }
}
