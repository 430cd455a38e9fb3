/**
 * `tollgate audit [--bills]`: proves every balance, roll-up and cause of a credit, and on demand every logged bill, also
 * while the server runs.
 */
import { closeDatabase, openDatabase } from '../db/database.ts'
import { checkSchema } from '../db/migrate.ts'
import { auditBudgets } from '../domain/budgets/index.ts'
import { auditBills } from '../domain/pricing/index.ts'
import { auditCredits } from '../domain/statement/index.ts'
import { auditRollUps } from '../domain/usage/index.ts'
import { auditWallets } from '../domain/wallet/index.ts'
import { StartupError } from '../process/shutdown.ts'

const BILLS = '--bills'

/**
 * Prints the first wrong figure, or the numbers of checked rows. @returns exit code 1 for a wrong figure
 * @throws StartupError for another argument
 */
export async function audit(args: string[]): Promise<number> {
  if (args.some(arg => arg !== BILLS)) throw new StartupError(`usage: tollgate audit [${BILLS}]`)
  await openDatabase({ readonly: true })
  await checkSchema()
  const { difference: ofWallets, ...checked } = await auditWallets()
  const causes = ofWallets ? undefined : await auditCredits()
  const before = ofWallets ?? causes?.difference ?? (await auditRollUps())
  const ofBudgets = before ? undefined : await auditBudgets()
  const difference = before ?? ofBudgets?.difference
  const bills = !difference && args.length ? await auditBills() : undefined
  await closeDatabase()
  const wrong = difference ?? bills?.difference
  if (wrong) {
    process.stdout.write(`audit: ${wrong}\n`)
    return 1
  }
  const { users, tokens, channels, entries } = checked
  const figures = [`${users} users`, `${tokens} tokens`, `${channels} channels`, `${entries} ledger entries`]
  figures.push(`${causes!.credits} credits with their cause`)
  if (ofBudgets!.budgets) figures.push(`${ofBudgets!.budgets} budgets`)
  if (bills) figures.push(`${bills.bills} bills`)
  if (bills?.older) figures.push(`${bills.older} bills from before price versions were stored`)
  process.stdout.write(`audit: clean (${figures.join(', ')})\n`)
  return 0
}
