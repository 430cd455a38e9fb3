/** `tollgate import FROM`: moves in from new-api, one-api or Veloera. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { PRICES_OF, type PricesOf, ROOT_OF, type RootOf } from '../contracts/moving-in.ts'
import { closeDatabase, openDatabase } from '../db/database.ts'
import { dialect } from '../db/dialect.ts'
import { openForeign } from '../db/foreign/open.ts'
import { lockDataFolder } from '../db/lock.ts'
import { checkSchema } from '../db/migrate.ts'
import { moveIn } from '../domain/moving-in/index.ts'
import { loadOptions } from '../domain/options/index.ts'
import { isSetUp } from '../domain/setup/index.ts'
import { StartupError } from '../process/shutdown.ts'
import { audit } from './audit.ts'
import { checkSecretKey } from './check-secret-key.ts'
import { reportPage, summaryOf } from './import-report.ts'

const USAGE =
  'usage: tollgate import FROM [--dry-run] [--prices theirs|ours] [--root ours|theirs] [--logs DAYS] [--source NAME] [--report FOLDER]'

interface ImportCall {
  from: string
  isDry: boolean
  prices: PricesOf
  root: RootOf
  logDays: number
  source?: string
  folder: string
}

/** The other database is only read. @returns exit code 1 when the audit finds a wrong figure. @throws StartupError */
export async function importFrom(args: string[]): Promise<number> {
  const { from, folder, ...wishes } = wantedIn(args)
  if (dialect === 'sqlite') lockDataFolder()
  await openDatabase({ existing: true })
  await checkSchema()
  await checkSecretKey()
  await loadOptions()
  if (wishes.root === 'ours' && !(await isSetUp()))
    throw new StartupError('set this Tollgate up first: start it, and open /setup; or take theirs: --root theirs')
  const database = await openForeign(from)
  const report = await moveIn(database, wishes).finally(() => database.close())
  await closeDatabase()
  mkdirSync(folder, { recursive: true })
  const name = `${folder}/tollgate-import`
  writeFileSync(`${name}.json`, `${JSON.stringify(report, undefined, 2)}\n`)
  writeFileSync(`${name}.html`, reportPage(report))
  process.stdout.write(`${summaryOf(report)}\nreport: ${name}.html, ${name}.json\n`)
  return wishes.isDry ? 0 : audit([])
}

/** @throws StartupError */
function wantedIn(args: string[]): ImportCall {
  const wanted: ImportCall = { from: '', isDry: false, prices: 'theirs', root: 'ours', logDays: 0, folder: '.' }
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!
    const value = () => {
      at++
      return args[at] ?? ''
    }
    if (arg === '--dry-run') wanted.isDry = true
    else if (arg === '--prices') wanted.prices = value() as PricesOf
    else if (arg === '--root') wanted.root = value() as RootOf
    else if (arg === '--logs') wanted.logDays = Number(value() || Number.NaN)
    else if (arg === '--source') wanted.source = value()
    else if (arg === '--report') wanted.folder = value()
    else if (arg.startsWith('--') || wanted.from) throw new StartupError(USAGE)
    else wanted.from = arg
  }
  const { from, prices, root, logDays, source, folder } = wanted
  const isSource = source === undefined || /^[\w.-]{1,50}$/.test(source)
  const isDays = Number.isSafeInteger(logDays) && logDays >= 0
  const isChoice = PRICES_OF.includes(prices) && ROOT_OF.includes(root)
  if (!from || !isChoice || !isDays || !isSource || !folder) throw new StartupError(USAGE)
  return wanted
}
