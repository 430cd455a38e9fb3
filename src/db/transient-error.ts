/** Tells a database that is temporarily unavailable from a statement that it refuses. */
import { Refusal } from '../contracts/refusal.ts'

/** SQLite: locked, full, failing disk or memory. */
const transientOfSqlite = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|NOMEM|CANTOPEN|READONLY|PROTOCOL)/
/**
 * SQLSTATE classes: connection, rollback (deadlock, serialization), resources, operator, system.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html (read 2026-11)
 */
const transientOfPostgres = /^(08|40|53|57|58|25006)/
const lostConnection = /^(ERR_POSTGRES_(CONNECTION|IDLE|LIFETIME)|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND)/

/** Whether the same work may succeed later. */
export function isTransientError(error: unknown): boolean {
  if (error instanceof Refusal) return error.status === 503
  if (!(error instanceof Error)) return false
  const { code = '', errno = '', cause } = error as { code?: unknown; errno?: unknown; cause?: unknown }
  return (
    transientOfSqlite.test(String(code)) ||
    lostConnection.test(String(code)) ||
    (error.name === 'PostgresError' && transientOfPostgres.test(String(errno))) ||
    isTransientError(cause)
  )
}
