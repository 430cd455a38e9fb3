/** `tollgate serve`: opens the database, starts every part in order, listens, and shuts down in order. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { subscribeToChanges } from '../cluster/change-signal.ts'
import { readChanges } from '../cluster/changes.ts'
import { describeNode } from '../cluster/joining.ts'
import { keepLimits } from '../cluster/limits-outage.ts'
import { IMPORT_FOLDER } from '../contracts/moving-in.ts'
import { closeDatabase, freePageCache, openDatabase } from '../db/database.ts'
import { dialect } from '../db/dialect.ts'
import { lockDataFolder } from '../db/lock.ts'
import { migrate, newerSchema, SCHEMA } from '../db/migrate.ts'
import { env } from '../env.ts'
import { leadsHere } from '../net/own-address.ts'
import { watchLoad } from '../process/load-shedding.ts'
import { log, reason } from '../process/log.ts'
import { onShutdown, StartupError } from '../process/shutdown.ts'
import { watchMemory } from '../process/spare-memory.ts'
import { VERSION } from '../pure/version.ts'
import { CONNECTION_TIMEOUT_SECONDS } from '../stream/client-connection.ts'
import { checkSecretKey, endRotation } from './check-secret-key.ts'
import { checkDatabaseFile, checkUsers } from './check-set-up-mark.ts'
import { checkOlderNodes } from './migrate.ts'
import { stopOnSignals } from './stop.ts'

interface Around {
  /** Runs on the opened database before the server listens. */
  prepare(): Promise<void>
  listening(port: number): void
}

export async function serve(around?: Around): Promise<undefined> {
  await checkShadow()
  if (dialect === 'sqlite') lockDataFolder()
  checkDatabaseFile()
  await openDatabase()
  let endBackup = async () => {}
  onShutdown('database', () => endBackup().finally(closeDatabase))
  await checkUsers()
  await bringUpToDate()
  // An upload of a process that was killed.
  rmSync(join(env.DATA_DIR, IMPORT_FOLDER), { recursive: true, force: true })

  const ended = await endRotation()
  if (ended) log.info('the rotation of the secret key is complete', { before: ended })
  await checkSecretKey()

  // From here on nothing is missed: what is read from now on is as new as the first reading.
  await readChanges()
  const { buildApp } = await import('../app.ts')
  const app = await buildApp()
  const { openCalls, startWallet } = await import('../domain/wallet/index.ts')
  await startWallet()
  // The first heartbeat waits for a rotation of the secret key, after which this process has the old one.
  if (dialect === 'postgres') await checkSecretKey()
  await describeNode()
  await around?.prepare()
  const { startSchedule } = await import('../jobs/schedule.ts')
  await subscribeToChanges(
    () => void readChanges().catch(error => log.warn('changes not read', { reason: reason(error) })),
  )
  await keepLimits()
  startSchedule()
  endBackup = (await import('../domain/backups/index.ts')).startRecording()
  watchLoad()
  watchMemory(openCalls, freePageCache)
  listen(app)
  process.on('unhandledRejection', error => log.error('bug: a rejection was not handled', { reason: reason(error) }))
  stopOnSignals(app)
  around?.listening(app.server!.port!)
  await printAddress(app.server!.port!)
  // Frees the memory of the start before the first call.
  freePageCache()
  Bun.gc(true)
}

/** @throws StartupError where calls would come back here */
async function checkShadow() {
  if (env.SHADOW_OF && (await leadsHere(env.SHADOW_OF, env.PORT)))
    throw new StartupError('SHADOW_OF leads to this Tollgate itself: give it the address of the old gateway')
}

/** @throws StartupError when this program cannot run on the database, or nodes that run could not go on */
async function bringUpToDate() {
  await checkOlderNodes()
  const migrated = await migrate()
  if (migrated.length) log.info('database migrated', { to: migrated.at(-1) })
  const newer = await newerSchema()
  if (newer) log.warn('the database is of a newer release, on which this one can run', { has: newer, knows: SCHEMA })
}

type App = Awaited<ReturnType<typeof import('../app.ts')['buildApp']>>

/** @throws StartupError when the port is taken */
function listen(app: App) {
  try {
    app.listen({
      port: env.PORT,
      hostname: env.HOST,
      idleTimeout: CONNECTION_TIMEOUT_SECONDS,
      // Bodies are limited where they are read, so that the error has the format of the endpoint.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      reusePort: false,
      // Bun's own error page shows source code.
      development: false,
    })
  } catch (error) {
    throw new StartupError(`cannot listen on ${env.HOST}:${env.PORT}: ${(error as Error).message}`)
  }
}

async function printAddress(port: number) {
  const host = env.HOST === '0.0.0.0' || env.HOST === '::' ? 'localhost' : env.HOST
  const address = `http://${host}:${port}`
  if (env.ROLE === 'relay' || env.ROLE === 'jobs')
    return void process.stdout.write(`Tollgate ${VERSION} is listening on ${address} with ROLE=${env.ROLE}\n`)
  const { isSetUp } = await import('../domain/setup/index.ts')
  const next = (await isSetUp()) ? `Sign in at ${address}/login` : `Open ${address}/setup to create the first account`
  process.stdout.write(`Tollgate ${VERSION} is listening on ${address}\n${next}\n`)
}
