/**
 * `tollgate rotate-key`: seals every secret of the database under another secret key. The database changes in one
 * transaction. The key file follows it; a start or another run completes a rotation that stopped between the two.
 */
import { lt, not } from 'drizzle-orm'
import { leaseStart } from '../cluster/node.ts'
import { nodes, oneTimeSecrets } from '../cluster/table.ts'
import { SYSTEM } from '../contracts/actor.ts'
import { adoptStaged, newSecret, stageSecret } from '../crypto/secret-file.ts'
import { atomic, run } from '../db/atomic.ts'
import { closeDatabase, openDatabase, type Tx } from '../db/database.ts'
import { dialect } from '../db/dialect.ts'
import { lockDataFolder } from '../db/lock.ts'
import { checkSchema } from '../db/migrate.ts'
import { sessions } from '../domain/account/index.ts'
import { recordChange } from '../domain/audit-log/index.ts'
import { env } from '../env.ts'
import { StartupError } from '../process/shutdown.ts'
import { checkSecretKey } from './check-secret-key.ts'
import { resealAll } from './sealed-columns.ts'

/** @throws StartupError while a server runs, under a wrong key, or without NEW_SECRET_KEY beside SECRET_KEY */
export async function rotateKey(args: string[]): Promise<number> {
  if (args.length) throw new StartupError('usage: tollgate rotate-key')
  const isInFile = !env.SECRET_KEY
  if (!isInFile && !env.NEW_SECRET_KEY) throw new StartupError('set NEW_SECRET_KEY to the key that follows SECRET_KEY')
  const text = env.NEW_SECRET_KEY ?? newSecret()
  if (dialect === 'sqlite') lockDataFolder()
  await openDatabase({ existing: true })
  await checkSchema()
  await checkSecretKey()
  if (isInFile) stageSecret(text)
  const { sealed, left } = await atomic(tx => rotate(tx, Buffer.from(text)))
  await closeDatabase()
  if (isInFile) adoptStaged()
  process.stdout.write(report(sealed, left, isInFile))
  return 0
}

function* rotate(tx: Tx, secret: Buffer) {
  yield* refuseWhileServed(tx)
  const count = yield* resealAll(tx, secret)
  // Signed under the former key: none of them would be accepted.
  yield* run(tx.delete(oneTimeSecrets))
  yield* run(tx.delete(sessions))
  yield* recordChange(tx, SYSTEM, {
    action: 'secret_key.rotate',
    target: { kind: 'secret_key', id: 'secret.key' },
    after: count,
  })
  return count
}

/** The lock of the data folder keeps other processes from SQLite. */
function* refuseWhileServed(tx: Tx) {
  if (dialect === 'sqlite') return
  const running = yield* run(
    tx
      .select()
      .from(nodes)
      .where(not(lt(nodes.seen_time, leaseStart))),
  )
  if (running.length) throw new StartupError(`stop every server first: ${running.length} use this database`)
}

function report(sealed: number, left: number, isInFile: boolean): string {
  const lines = [`sealed ${sealed} secrets under the new key; all users have to sign in again`]
  if (left) lines.push(`${left} secrets were sealed under yet another key and are left as they are`)
  lines.push(
    isInFile
      ? 'the former key is in secret.key.old: keep it with backups made before, or delete it'
      : 'set SECRET_KEY to the new key before the next start; keep the former one with backups made before',
  )
  return `${lines.join('\n')}\n`
}
