import { backUp } from '../db/backup.ts'
import { StartupError } from '../process/shutdown.ts'

/** A copy of the database as it is at this moment, also while the server runs. */
export async function backup([file]: string[]): Promise<number> {
  if (!file) throw new StartupError('usage: tollgate backup FILE')
  const bytes = backUp(file)
  process.stdout.write(
    `backed up ${bytes} bytes to ${file}; keep the secret key with it, it opens what is sealed inside\n`,
  )
  return 0
}
