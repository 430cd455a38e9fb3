/** Access log: a JSON line on standard error for a share of the calls, without keys and content. */
import { NODE_ID } from '../../cluster/node.ts'
import { env } from '../../env.ts'
import { type LogFields, writeLine } from '../../process/log.ts'

/** Whether this call has a line. */
export const isSampled = () => env.ACCESS_LOG > 0 && Math.random() < env.ACCESS_LOG

export const writeAccess = (fields: LogFields) => writeLine({ message: 'call', node: NODE_ID, ...fields })
