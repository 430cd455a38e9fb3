/** `tollgate migrate [--check]`: runs the missing migrations, or says which those are. */
import { nodeOlderThan } from '../cluster/joining.ts'
import { closeDatabase, openDatabase } from '../db/database.ts'
import { dialect } from '../db/dialect.ts'
import { migrate, missingMigrations, newerSchema } from '../db/migrate.ts'
import { StartupError } from '../process/shutdown.ts'

const CHECK = '--check'

/**
 * Prints the names of the migrations that were run. With `--check` it prints what a start would run, and changes nothing.
 * @returns exit code 1 when `--check` finds something to do
 * @throws StartupError for another argument, and while a node runs that cannot go on
 */
export async function migrateOnly(args: string[]): Promise<number> {
  if (args.some(arg => arg !== CHECK)) throw new StartupError(`usage: tollgate migrate [${CHECK}]`)
  await openDatabase(args.length ? { readonly: true } : {})
  const code = args.length ? await check() : await runMissing()
  await closeDatabase()
  return code
}

async function runMissing(): Promise<number> {
  await checkOlderNodes()
  const migrated = await migrate()
  process.stdout.write(migrated.length ? `migrated: ${migrated.join(', ')}\n` : await upToDate())
  return 0
}

async function check(): Promise<number> {
  const missing = await missingMigrations()
  if (!missing.length) {
    process.stdout.write(await upToDate())
    return 0
  }
  const { compatible_since } = missing.at(-1)!
  const older = await nodeOlderThan(compatible_since)
  const lines = [
    `to run: ${missing.map(({ name }) => name).join(', ')}`,
    ...(dialect === 'postgres' ? [`nodes that know ${compatible_since} go on meanwhile`] : []),
    ...(older ? [`in the way: ${nameOf(older)}`] : []),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
  return 1
}

async function upToDate(): Promise<string> {
  const newer = await newerSchema()
  return newer
    ? `the database is newer (it has ${newer}), and this program can run on it\n`
    : 'the database is up to date\n'
}

/** Before the missing migrations. @throws StartupError while a node runs whose program cannot run on what comes */
export async function checkOlderNodes() {
  const compatible_since = (await missingMigrations()).at(-1)?.compatible_since
  const older = compatible_since ? await nodeOlderThan(compatible_since) : undefined
  if (older)
    throw new StartupError(
      `${nameOf(older)} is running and cannot go on after the migrations; bring it to the release between, or stop it (one that crashed counts for 20 seconds)`,
    )
}

const nameOf = ({ version, schema }: { version: string; schema: string }) => `a node of Tollgate ${version} (${schema})`
