/**
 * Nodes tell each other by Redis that there are changes to read. A message that is lost costs a second: every node
 * reads them that often without one.
 */
import { sign } from '../crypto/sealing.ts'
import { env } from '../env.ts'
import { log, reason } from '../process/log.ts'
import { NODE_ID } from './node.ts'
import { connectListener, connectRedis, redis } from './redis.ts'

/** Installations that share one Redis have channels of their own. */
const channel = () => `tollgate:${sign('bell', 'changes')}`

/** Calls back at each message of another node; without `REDIS_URL` there are none. Does not wait for a connection. */
export async function subscribeToChanges(onChange: () => void) {
  if (!env.REDIS_URL) return
  await connectRedis()
  const listener = await connectListener()
  listener.on('message', (_, node) => {
    if (node !== NODE_ID) onChange()
  })
  void listener
    .subscribe(channel())
    .catch(error => log.warn('subscription to changes refused', { reason: reason(error) }))
}

/** Tells the other nodes to read the changes. A message that cannot be sent at once is of no use later. */
export const publishChange = () =>
  void redis()
    ?.publish(channel(), NODE_ID)
    .catch(() => {})
