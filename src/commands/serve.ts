/** Opens everything in order, listens, and stops cleanly. */
import { closeDatabase, openDatabase } from '../db/database.ts'
import { dialect } from '../db/dialect.ts'
import { lockDataFolder } from '../db/lock.ts'
import { migrate } from '../db/migrate.ts'
import { env } from '../env.ts'
import { watchLoad } from '../process/load-shedding.ts'
import { log, reason } from '../process/log.ts'
import { abortCalls, atEnd, beginStopping, runEndings, StartupError } from '../process/shutdown.ts'
import { VERSION } from '../pure/version.ts'
import { checkSecretKey } from './check-secret-key.ts'

const DRAIN_MS = 30_000
/** After the deadline, streams still write their last event and are billed. */
const LAST_WORDS_MS = 3000
/** Seconds a silent connection may stay; calls of models set their own: see kit/connection.ts. */
const IDLE_SECONDS = 30

/** @param prepare runs on the opened database before anyone is let in. */
export async function serve(prepare?: () => Promise<void>): Promise<undefined> {
  if (dialect === 'sqlite') lockDataFolder()
  await openDatabase()
  const migrated = await migrate()
  if (migrated.length) log.info('database migrated', { to: migrated.at(-1) })

  await checkSecretKey()

  const { buildApp } = await import('../app.ts')
  const app = await buildApp()
  const { stopWallet, startWallet } = await import('../domain/wallet/index.ts')
  const { writeLastUsed } = await import('../domain/tokens/index.ts')
  await startWallet()
  for (const work of [stopWallet, writeLastUsed]) atEnd(work)
  await prepare?.()
  const { startClock } = await import('../jobs/schedule.ts')
  startClock()
  watchLoad()
  listen(app)
  process.on('unhandledRejection', error => log.error('bug: a rejection was not handled', { reason: reason(error) }))
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(app))
  await sayHello(app.server!.port!)
  // What only the start needed goes before the first call comes.
  Bun.gc(true)
}

type App = Awaited<ReturnType<typeof import('../app.ts')['buildApp']>>

function listen(app: App) {
  try {
    app.listen({
      port: env.PORT,
      hostname: env.HOST,
      idleTimeout: IDLE_SECONDS,
      // Bodies are capped where they are read, so that whoever sends too much is told so in their own shape.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      reusePort: false,
      // Bun's own error page shows source code to the visitor.
      development: false,
    })
  } catch (error) {
    throw new StartupError(`cannot listen on ${env.HOST}:${env.PORT}: ${(error as Error).message}`)
  }
}

async function sayHello(port: number) {
  const { isSetUp } = await import('../domain/setup/index.ts')
  const host = env.HOST === '0.0.0.0' || env.HOST === '::' ? 'localhost' : env.HOST
  const address = `http://${host}:${port}`
  const next = (await isSetUp()) ? `Sign in at ${address}/login` : `Open ${address}/setup to create the first account`
  process.stdout.write(`Tollgate ${VERSION} is listening on ${address}\n${next}\n`)
}

let stopped = false

/** No new work; what runs may finish until the deadline; then the books are closed. A second signal does not wait. */
async function stop(app: App) {
  if (stopped) process.exit(1)
  stopped = true
  log.info('stopping', { drain_seconds: DRAIN_MS / 1000 })
  beginStopping()
  const finished = app.server!.stop()
  const inTime = await Promise.race([finished.then(() => true), Bun.sleep(DRAIN_MS).then(() => false)])
  if (!inTime) {
    abortCalls()
    await Promise.race([finished, Bun.sleep(LAST_WORDS_MS)])
    await app.server!.stop(true)
  }
  await runEndings()
  await closeDatabase()
  log.info('stopped')
  process.exit(0)
}
