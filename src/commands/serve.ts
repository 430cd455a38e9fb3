/** `tollgate serve`: opens the database, starts every part in order, listens, and shuts down in order. */
import { closeDatabase, openDatabase } from '../db/database.ts'
import { dialect } from '../db/dialect.ts'
import { lockDataFolder } from '../db/lock.ts'
import { migrate } from '../db/migrate.ts'
import { env } from '../env.ts'
import { watchLoad } from '../process/load-shedding.ts'
import { log, reason } from '../process/log.ts'
import { abortCalls, isStopping, onShutdown, StartupError, shutDown } from '../process/shutdown.ts'
import { VERSION } from '../pure/version.ts'
import { checkSecretKey } from './check-secret-key.ts'
import { checkDatabaseFile, checkUsers } from './check-set-up-mark.ts'

const DRAIN_TIMEOUT_MS = 30_000
/** After the drain, aborted streams still write their last event and are billed. */
const ABORT_TIMEOUT_MS = 3000
/** Idle timeout of a connection; calls set their own, see stream/client-connection.ts. */
const IDLE_TIMEOUT_SECONDS = 30

/** @param prepare runs on the opened database before the server listens */
export async function serve(prepare?: () => Promise<void>): Promise<undefined> {
  if (dialect === 'sqlite') lockDataFolder()
  checkDatabaseFile()
  await openDatabase()
  onShutdown('database', closeDatabase)
  await checkUsers()
  const migrated = await migrate()
  if (migrated.length) log.info('database migrated', { to: migrated.at(-1) })

  await checkSecretKey()

  const { buildApp } = await import('../app.ts')
  const app = await buildApp()
  const { startWallet } = await import('../domain/wallet/index.ts')
  await startWallet()
  await prepare?.()
  const { startSchedule } = await import('../jobs/schedule.ts')
  startSchedule()
  watchLoad()
  listen(app)
  onShutdown('drain', () => drain(app))
  process.on('unhandledRejection', error => log.error('bug: a rejection was not handled', { reason: reason(error) }))
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop)
  await printAddress(app.server!.port!)
  // Frees the memory of the start before the first call.
  Bun.gc(true)
}

type App = Awaited<ReturnType<typeof import('../app.ts')['buildApp']>>

/** @throws StartupError when the port is taken */
function listen(app: App) {
  try {
    app.listen({
      port: env.PORT,
      hostname: env.HOST,
      idleTimeout: IDLE_TIMEOUT_SECONDS,
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
  const { isSetUp } = await import('../domain/setup/index.ts')
  const host = env.HOST === '0.0.0.0' || env.HOST === '::' ? 'localhost' : env.HOST
  const address = `http://${host}:${port}`
  const next = (await isSetUp()) ? `Sign in at ${address}/login` : `Open ${address}/setup to create the first account`
  process.stdout.write(`Tollgate ${VERSION} is listening on ${address}\n${next}\n`)
}

/** Shuts down in order. A second signal exits at once, with code 1. */
async function stop() {
  if (isStopping()) process.exit(1)
  log.info('stopping', { drain_seconds: DRAIN_TIMEOUT_MS / 1000 })
  await shutDown()
  log.info('stopped')
  process.exit(0)
}

/** Waits for the running calls, then aborts those that are left. */
async function drain(app: App) {
  const finished = app.server!.stop()
  const inTime = await Promise.race([finished.then(() => true), Bun.sleep(DRAIN_TIMEOUT_MS).then(() => false)])
  if (inTime) return
  abortCalls()
  await Promise.race([finished, Bun.sleep(ABORT_TIMEOUT_MS)])
  await app.server!.stop(true)
}
