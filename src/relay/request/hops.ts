/** The marks of the gateways that a request has passed: one that comes back is refused. */
import { Refusal } from '../../contracts/refusal.ts'
import { HOP_HEADER } from '../../contracts/relay.ts'
import { sign } from '../../crypto/sealing.ts'

let mark: string | undefined
const MARK_LENGTH = 16

/** What the header says to the next gateway. @throws Refusal 508 for a request that has passed here before */
export function hopsBehind({ headers }: Pick<Request, 'headers'>): string {
  const passed = headers.get(HOP_HEADER)
  mark ??= sign('hop', 'here').slice(0, MARK_LENGTH)
  if (passed === null) return mark
  if (passed.includes(mark)) throw new Refusal('relay.loop', {}, 508)
  return `${passed},${mark}`
}
