/**
 * Nodes tell each other by Redis that there are changes to read. A message that is lost costs a second: every node
 * reads them that often without one.
 */
import type { Redis } from 'ioredis'
import { sign } from '../crypto/sealing.ts'
import { env } from '../env.ts'
import { log, reason } from '../process/log.ts'
import { onShutdown } from '../process/shutdown.ts'
import { NODE_ID } from './node.ts'

let publisher: Redis | undefined

/** Installations that share one Redis have channels of their own. */
const channel = () => `tollgate:${sign('bell', 'changes')}`

/** Calls back at each message of another node; without `REDIS_URL` there are none. Does not wait for a connection. */
export async function subscribeToChanges(onChange: () => void) {
  if (!env.REDIS_URL) return
  // Loaded for several nodes alone. ioredis connects again by itself, and subscribes again.
  const { Redis } = await import('ioredis')
  // A message that cannot be sent at once is of no use later.
  const sender = new Redis(env.REDIS_URL, { enableOfflineQueue: false })
  const listener = new Redis(env.REDIS_URL, { maxRetriesPerRequest: null })
  warnOfOutages(listener)
  // The other connection warns.
  sender.on('error', () => {})
  listener.on('message', (_, node) => {
    if (node !== NODE_ID) onChange()
  })
  void listener
    .subscribe(channel())
    .catch(error => log.warn('subscription to changes refused', { reason: reason(error) }))
  publisher = sender
  onShutdown('database', () => {
    sender.disconnect()
    listener.disconnect()
  })
}

/** One warning for each outage, however often a connection is tried. */
function warnOfOutages(redis: Redis) {
  let isOut = false
  redis.on('error', error => {
    if (!isOut)
      log.warn('Redis cannot be reached; changes reach other nodes within a second', { reason: reason(error) })
    isOut = true
  })
  redis.on('ready', () => {
    isOut = false
  })
}

/** Tells the other nodes to read the changes. */
export const publishChange = () => void publisher?.publish(channel(), NODE_ID).catch(() => {})
