/** Checks that the installation's secret unseals its database. */
import { opensWith } from '../crypto/sealing.ts'
import { adoptStaged, dropStaged, masterSecret, stagedSecret } from '../crypto/secret-file.ts'
import { withoutTransaction } from '../db/atomic.ts'
import { log } from '../process/log.ts'
import { StartupError } from '../process/shutdown.ts'
import { samples } from './sealed-columns.ts'

/** Of each column: a few may have been sealed under another secret. */
const SAMPLE_ROWS = 3

/**
 * Under another secret no key could be unsealed, and new rows would be lost when the right secret is back. A rotation
 * that stopped between the database and the key file is completed.
 * @throws StartupError when none of the samples can be unsealed
 */
export async function checkSecretKey() {
  const sealed = await withoutTransaction(tx => samples(tx, SAMPLE_ROWS))
  const opens = (secret: Buffer) => !sealed.length || sealed.some(opensWith(secret))
  const staged = stagedSecret()
  if (staged && !opens(masterSecret()) && opens(staged)) {
    adoptStaged()
    log.info('the rotation of the secret key is completed')
  } else if (staged) dropStaged()
  if (!opens(masterSecret()))
    throw new StartupError('this database was encrypted with another secret key; set SECRET_KEY, or restore secret.key')
}
