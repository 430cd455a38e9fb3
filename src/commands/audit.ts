import { closeDatabase, openDatabase } from '../db/database.ts'
import { checkSchema } from '../db/migrate.ts'
import { auditWallets } from '../domain/wallet/index.ts'

/** Proves every balance, also while the server runs. Exit code 1 and the first difference when one is wrong. */
export async function audit(): Promise<number> {
  await openDatabase({ readonly: true })
  await checkSchema()
  const { difference, ...checked } = await auditWallets()
  await closeDatabase()
  if (difference) {
    process.stdout.write(`audit: ${difference}\n`)
    return 1
  }
  const { users, tokens, channels, entries } = checked
  process.stdout.write(
    `audit: clean (${users} users, ${tokens} tokens, ${channels} channels, ${entries} ledger entries)\n`,
  )
  return 0
}
