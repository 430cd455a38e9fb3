/** Tells a database that is temporarily unavailable from a statement that it refuses. */
import { Refusal } from '../contracts/refusal.ts'

/** SQLite: locked, full, failing disk or memory. */
const transientOfSqlite = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|NOMEM|CANTOPEN|READONLY|PROTOCOL)/
/**
 * SQLSTATE classes: connection, rollback (deadlock, serialization), resources, operator, system.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html (read 2026-11)
 */
const transientOfPostgres = /^(08|40|53|57|58|25006|25P03|55P03)/
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

/** No connection can be made: the server has ended, refuses everyone, or its host is gone. */
const outOfReach =
  /^(ERR_POSTGRES_CONNECTION_(REFUSED|TIMEOUT|FAILED)|ECONNREFUSED|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|ENETUNREACH)/
/** SQLSTATE of a server that starts or stops. */
const CANNOT_CONNECT_NOW = '57P03'

/** Whether PostgreSQL cannot be reached at all. */
export function isOutOfReach(error: unknown): boolean {
  const { code = '', errno = '' } = Object(error) as { code?: unknown; errno?: unknown }
  return outOfReach.test(String(code)) || errno === CANNOT_CONNECT_NOW
}

/** Whether PostgreSQL has answered with an error. */
export const isServerError = (error: unknown): boolean =>
  (error as { code?: unknown } | undefined)?.code === 'ERR_POSTGRES_SERVER_ERROR' && !isOutOfReach(error)

/** Another transaction has kept a lock for longer than `lock_timeout`. */
export const isLockTimeout = (error: unknown): boolean => (error as { errno?: unknown } | undefined)?.errno === '55P03'

/** A connection has ended: whether its last statement was done is unknown. Or another transaction has won over this one. */
export function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, errno, cause } = error as { code?: unknown; errno?: unknown; cause?: unknown }
  return code === 'ERR_POSTGRES_CONNECTION_CLOSED' || /^(40|57P0)/.test(String(errno)) || isLostConnection(cause)
}
