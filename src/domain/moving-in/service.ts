/** Carries another gateway's database over, noun by noun. Each batch is whole, so that a run that broke off is repeated. */
import { count, eq, ne } from 'drizzle-orm'
import { Role } from '../../contracts/account.ts'
import type { MovedProduct, MoveReport, PricesOf, RootOf } from '../../contracts/moving-in.ts'
import { db } from '../../db/database.ts'
import type { ForeignDatabase } from '../../db/foreign/foreign-database.ts'
import { now } from '../../process/clock.ts'
import { channels } from '../channels/table.ts'
import { endSetUp, isSetUp } from '../setup/index.ts'
import { tokens } from '../tokens/table.ts'
import { users } from '../users/table.ts'
import { importedBalances } from '../wallet/index.ts'
import { CannotMove } from './cannot-move.ts'
import { moveChannels } from './channels.ts'
import { moveCheckIns } from './check-ins.ts'
import { moveCodes } from './codes.ts'
import { checkSameInstallation } from './installation.ts'
import { moveLogs } from './logs.ts'
import { moveMessages } from './messages.ts'
import { noteMissingColumns } from './missing-columns.ts'
import { type Move, newMove } from './move.ts'
import { moveOptions, notePrices } from './options.ts'
import { movePasskeys } from './passkeys.ts'
import { productOf } from './product.ts'
import { chooseRoot } from './root.ts'
import { moveSecondFactors } from './second-factors.ts'
import { moves } from './table.ts'
import { moveDrawings, moveTasks } from './tasks.ts'
import { moveTokens } from './tokens.ts'
import { moveUsers } from './users.ts'

export interface MoveWishes {
  /** Name of the other installation, where several are moved in. */
  source?: string
  isDry: boolean
  prices: PricesOf
  /** Theirs ends the set-up. */
  root: RootOf
  /** Days of usage logs; 0 for none. */
  logDays: number
  /** Gets the counts, which grow during the run. */
  watch?(counts: MoveReport['counts']): void
}

/** @throws CannotMove for a database of no known gateway, or of another installation under a known name; see `chooseRoot` */
export async function moveIn(from: ForeignDatabase, wishes: MoveWishes): Promise<MoveReport> {
  const product = productOf(from.columns)
  if (typeof product === 'object')
    throw new CannotMove('moving.refused_product', { name: from.name, columns: product.missing.join(', ') })
  const { source = product, isDry } = wishes
  const move = newMove({ from, product, source, isDry, keepsIds: await keepsIds(source, product, isDry) })
  wishes.watch?.(move.report.counts)
  await checkSameInstallation(move)
  noteMissingColumns(move)
  if (wishes.root === 'theirs') await chooseRoot(move)
  const before = await importedBalances()
  await moveUsers(move)
  await moveTokens(move)
  await moveChannels(move)
  await moveCodes(move)
  await moveSecondFactors(move)
  await movePasskeys(move)
  await moveCheckIns(move)
  await moveMessages(move)
  await moveDrawings(move)
  await moveTasks(move)
  await moveLogs(move, wishes.logDays)
  await notePrices(move, wishes.prices)
  await moveOptions(move, wishes.prices)
  await checkSum(move, before)
  if (wishes.root === 'theirs' && !isDry && !(await isSetUp())) await endSetUp()
  const { found, carried, before: earlier, left } = move.balances
  const balances = { found: String(found), carried: String(carried), before: String(earlier), left: String(left) }
  return { ...move.report, balances }
}

/** Decided at the first run: afterwards the house is not empty any more. */
async function keepsIds(source: string, product: MovedProduct, isDry: boolean): Promise<boolean> {
  const [known] = await db.select().from(moves).where(eq(moves.source, source))
  if (known) return known.keeps_ids
  const keeps_ids = await isEmpty()
  if (!isDry) await db.insert(moves).values({ source, product, keeps_ids, created_time: now() })
  return keeps_ids
}

/** But for its root. */
async function isEmpty(): Promise<boolean> {
  const others = [
    db.select({ rows: count() }).from(users).where(ne(users.role, Role.root)),
    db.select({ rows: count() }).from(tokens),
    db.select({ rows: count() }).from(channels),
  ]
  return (await Promise.all(others)).every(([found]) => Number(found!.rows) === 0)
}

/** @throws CannotMove when the ledger has another sum than what was read */
async function checkSum({ isDry, balances: { carried } }: Move, before: number) {
  const written = BigInt(await importedBalances()) - BigInt(before)
  if (!isDry && written !== carried)
    throw new CannotMove('moving.refused_sum', { written: String(written), carried: String(carried) })
}
