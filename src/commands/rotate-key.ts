/** `tollgate rotate-key`: seals everything anew under another secret, while no server runs. */
import { keepNodesAway } from '../cluster/node.ts'
import { SYSTEM } from '../contracts/actor.ts'
import { sealerUnder } from '../crypto/sealing.ts'
import {
  adoptStagedSecret,
  dropStagedSecret,
  hasSecretFile,
  masterSecret,
  newSecret,
  stageSecret,
} from '../crypto/secret-file.ts'
import { atomic, run } from '../db/atomic.ts'
import { closeDatabase, openDatabase, sqlite } from '../db/database.ts'
import { dialect } from '../db/dialect.ts'
import { lockDataFolder } from '../db/lock.ts'
import { checkSchema } from '../db/migrate.ts'
import { sessions } from '../domain/account/table.ts'
import { recordChange } from '../domain/audit-log/index.ts'
import { reseal, sealedColumns } from '../domain/secret-key/index.ts'
import { env } from '../env.ts'
import { StartupError } from '../process/shutdown.ts'
import { checkSecretKey, endRotation, isSealedUnder } from './check-secret-key.ts'

/**
 * The new secret is NEW_SECRET_KEY or made anew. With a secret file it is staged beside the file, the database is sealed
 * under it in one transaction, and it takes the file's place: a run that breaks off has changed nothing, or the next
 * start or run ends it.
 * @throws StartupError while a server runs, with a wrong secret, and when a secret is missing
 */
export async function rotateKey(args: string[]): Promise<number> {
  if (args.length) throw new StartupError('usage: tollgate rotate-key (the new key may be in NEW_SECRET_KEY)')
  await openDatabase({ existing: true })
  await checkSchema()
  // On both engines: of two runs, one would take away the other's staged secret.
  lockDataFolder()
  const ended = await endRotation()
  if (ended) return done(`an earlier rotation is now complete; ${keptIn(ended)}`)
  if (env.SECRET_KEY && env.NEW_SECRET_KEY && (await isSealedUnder(env.NEW_SECRET_KEY)))
    return done('the database is sealed under NEW_SECRET_KEY already; set SECRET_KEY to it')
  if (!env.SECRET_KEY && !hasSecretFile()) throw new StartupError(`there is no secret.key in ${env.DATA_DIR}`)
  await checkSecretKey()
  return env.SECRET_KEY ? inSetting(env.SECRET_KEY) : inFile(masterSecret().toString())
}

/** The secret is in SECRET_KEY, which only the operator can change. */
async function inSetting(current: string): Promise<number> {
  if (!env.NEW_SECRET_KEY) throw new StartupError('SECRET_KEY is set: set NEW_SECRET_KEY to the new key as well')
  const report = await resealAll(current, env.NEW_SECRET_KEY)
  return done(`${report}; set SECRET_KEY to the new key before the next start`)
}

/** The secret is in a file. */
async function inFile(current: string): Promise<number> {
  const next = env.NEW_SECRET_KEY ?? newSecret()
  stageSecret(next)
  const report = await resealAll(current, next).catch(error => {
    // Of any other error it is not known whether the database has committed: the next run finds out.
    if (error instanceof StartupError) dropStagedSecret()
    throw error
  })
  return done(`${report}; ${keptIn(adoptStagedSecret())}`)
}

const keptIn = (file: string) => `the key before it is in ${file}: backups made before need it`

async function done(report: string): Promise<number> {
  await closeDatabase()
  process.stdout.write(`${report}\n`)
  return 0
}

/** @throws StartupError when a server runs, or nothing was changed for another reason */
async function resealAll(current: string, next: string): Promise<string> {
  if (current === next) throw new StartupError('NEW_SECRET_KEY is the present key')
  const [from, to] = [sealerUnder(current), sealerUnder(next)]
  // The commit is on the disk before the old secret leaves its place.
  sqlite?.run('PRAGMA synchronous = FULL')
  const counts = await atomic(function* (tx) {
    if (dialect === 'postgres' && (yield* keepNodesAway(tx)))
      throw new StartupError(
        'a Tollgate is running on this database; stop it first (one that crashed counts for a minute)',
      )
    const counts = { sealed: 0, lost: 0 }
    for (const column of sealedColumns) {
      const { sealed, lost } = yield* reseal(tx, column, from, to)
      counts.sealed += sealed
      counts.lost += lost
    }
    // Their cookies are signed under the old secret.
    yield* run(tx.delete(sessions))
    yield* recordChange(tx, SYSTEM, {
      action: 'secret_key.rotate',
      target: { kind: 'secret_key', id: '' },
      after: { ...counts },
    })
    return counts
  })
  const lost = counts.lost ? `; ${counts.lost} that the present key does not open stay as they were` : ''
  return `${counts.sealed} secrets are sealed under the new key${lost}; every user has to sign in again`
}
