// @engine sqlite
/** Errors of an unavailable database are transient; errors of refused statements are not. */
import { expect, test } from 'bun:test'
import { databaseUnavailable, Refusal } from '../../src/contracts/refusal.ts'
import { isTransientError } from '../../src/db/transient-error.ts'

const failed = (facts: object, cause?: unknown) => Object.assign(new Error('failed', { cause }), facts)
const ofServer = (errno: string) => failed({ name: 'PostgresError', code: 'ERR_POSTGRES_SERVER_ERROR', errno })

const passing = [
  ...['SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT', 'SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_READONLY'].map(code => ({
    code,
  })),
  ...['ERR_POSTGRES_CONNECTION_CLOSED', 'ECONNREFUSED', 'ENOTFOUND'].map(code => ({ code })),
].map(facts => failed(facts))

test.each([
  ...passing.map(error => [error, true] as const),
  ...['08006', '40P01', '53300', '57P01', '25006'].map(errno => [ofServer(errno), true] as const),
  ...['22003', '23505', '42P01'].map(errno => [ofServer(errno), false] as const),
  [failed({ code: 'SQLITE_CONSTRAINT_UNIQUE' }), false] as const,
  [failed({ errno: '08006' }), false] as const,
  [failed({}, failed({ code: 'SQLITE_FULL' })), true] as const,
  [failed({}, new Refusal('error.internal')), false] as const,
  [databaseUnavailable(), true] as const,
  [failed({}, databaseUnavailable()), true] as const,
  ['SQLITE_BUSY', false] as const,
])('isTransientError of %p is %p', (error, trouble) => expect(isTransientError(error)).toBe(trouble))
