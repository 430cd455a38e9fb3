/**
 * The whole application on a fresh database, without a socket. Its console is loaded by the first request to it, which
 * takes as long as all else: the files that only call models have none.
 */
import { buildApp } from '../../../src/app.ts'
import { openDatabase } from '../../../src/db/database.ts'
import { migrate } from '../../../src/db/migrate.ts'
import '../grammar/watch.ts'
import { copyMigrated } from './migrated.ts'

await openDatabase()
copyMigrated()
await migrate()

export const app = await buildApp()

/** Starts listening on a free port of this machine: for streams, aborts and real clients. Answers the base URL. */
export function listen(): string {
  if (!app.server) app.listen({ port: 0, hostname: '127.0.0.1', idleTimeout: 30 })
  return `http://127.0.0.1:${app.server!.port}`
}
