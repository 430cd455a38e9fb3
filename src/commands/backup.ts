import { backUp } from '../db/backup.ts'
import { StartupError } from '../process/shutdown.ts'

/** A copy of the database as it is at this moment, also while the server runs. */
export async function backup([file]: string[]): Promise<number> {
  if (!file) throw new StartupError('usage: tollgate backup FILE')
  const bytes = backUp(file)
  process.stdout.write(
    `backed up ${bytes} bytes to ${file}; store the secret key with it: the secrets inside are encrypted with it\n`,
  )
  return 0
}
