/** Counts what limits refuse. */
import { Refusal } from '../contracts/refusal.ts'
import { counter } from '../process/metrics/counter.ts'

const limited = counter('tollgate_limited_total', 'Requests that a limit has refused, by the limit.', ['limit'])

const TOO_MANY_REQUESTS = 429
/** Limits of the process, which refuse with 503. */
const ofProcess = new Set<string>(['relay.overloaded', 'relay.body_budget_spent'])

/** Counts a refusal where it is one of a limit. Its code names the limit, as it does to clients. */
export function countLimited(error: unknown) {
  if (!(error instanceof Refusal) || (error.status !== TOO_MANY_REQUESTS && !ofProcess.has(error.code))) return
  limited.of(error.code.slice(error.code.indexOf('.') + 1)).add()
}

/** Counts a refusal by the address of the client. */
export const countLimitedAddress = (kind: string) => limited.of(`address_${kind}`).add()
