/** `tollgate backup FILE`: a consistent copy of the SQLite database, also while the server runs. */
import { backUp } from '../db/backup.ts'
import { StartupError } from '../process/shutdown.ts'

/** @throws StartupError without a file name, or when the copy fails */
export async function backup([file]: string[]): Promise<number> {
  if (!file) throw new StartupError('usage: tollgate backup FILE')
  const bytes = backUp(file)
  process.stdout.write(
    `backed up ${bytes} bytes to ${file}; store the secret key with it: the secrets inside are encrypted with it\n`,
  )
  return 0
}
