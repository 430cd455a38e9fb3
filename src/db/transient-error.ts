/** Telling a database that cannot work just now from a statement that it will never take. */
import { Refusal } from '../contracts/refusal.ts'

/** SQLite: locked, full, failing disk or memory. */
const troubledFile = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|NOMEM|CANTOPEN|READONLY|PROTOCOL)/
/** PostgreSQL's classes: connection, rollback (deadlock, serialization), resources, operator, system. */
const troubledServer = /^(08|40|53|57|58|25006)/
const lostConnection = /^(ERR_POSTGRES_(CONNECTION|IDLE|LIFETIME)|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND)/

/** Whether the same work may well succeed later. */
export function isTransientError(error: unknown): boolean {
  if (error instanceof Refusal) return error.status === 503
  if (!(error instanceof Error)) return false
  const { code = '', errno = '', cause } = error as { code?: unknown; errno?: unknown; cause?: unknown }
  return (
    troubledFile.test(String(code)) ||
    lostConnection.test(String(code)) ||
    (error.name === 'PostgresError' && troubledServer.test(String(errno))) ||
    isTransientError(cause)
  )
}
