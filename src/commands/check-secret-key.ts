/** Checks that the installation's secret unseals its database, and ends a rotation that broke off. */
import { sealerUnder, unseal } from '../crypto/sealing.ts'
import { adoptStagedSecret, stagedSecret } from '../crypto/secret-file.ts'
import { leaveSecretMark, sealedColumns, sealedSamples, secretMark } from '../domain/secret-key/index.ts'
import { env } from '../env.ts'
import { StartupError } from '../process/shutdown.ts'

/** Tokens and channels: every installation in use has them, and they are read in one step. */
const FIRST_COLUMNS = 2

/**
 * Under another secret no key could be unsealed, and new rows would be lost when the right secret is back. The first
 * start leaves a mark; a database that is older than it gets one.
 * @throws StartupError when the mark, or without it all of the oldest and newest sealed rows, cannot be unsealed
 */
export async function checkSecretKey() {
  const mark = await secretMark()
  if (!(mark === undefined ? await unsealsRows() : canUnseal(mark))) throw wrongKey()
  if (mark !== undefined) return
  await leaveSecretMark()
  // Another node may have been first, under another secret.
  if (!canUnseal((await secretMark())!)) throw wrongKey()
}

const wrongKey = () =>
  new StartupError(
    'this database was encrypted with another secret key; set SECRET_KEY (all nodes need the same), or restore secret.key',
  )

async function unsealsRows(): Promise<boolean> {
  const first = await sealedSamples(sealedColumns.slice(0, FIRST_COLUMNS))
  const samples = first.length ? first : await sealedSamples()
  return !samples.length || samples.some(canUnseal)
}

function canUnseal(sealed: string): boolean {
  try {
    unseal(sealed)
    return true
  } catch (error) {
    if (error instanceof StartupError) throw error
    return false
  }
}

/** Whether the database is sealed under this secret. A rotation is one transaction: one text speaks for all. */
export async function isSealedUnder(secret: string): Promise<boolean> {
  const { unseal } = sealerUnder(secret)
  return (await sealedSamples()).some(sealed => unseal(sealed) !== undefined)
}

/**
 * A rotation may break off after its commit and before the new secret is in its place: then it is put there.
 * @returns the file that keeps the secret before it; undefined when there was nothing to end
 */
export async function endRotation(): Promise<string | undefined> {
  const staged = env.SECRET_KEY ? undefined : stagedSecret()
  return staged && (await isSealedUnder(staged)) ? adoptStagedSecret() : undefined
}
