/** Connections to Redis, Valkey or a compatible server, directly or by Sentinel: one for commands, one that listens. */
import type { Redis, RedisOptions } from 'ioredis'
import { sign } from '../crypto/sealing.ts'
import { env } from '../env.ts'
import { stopwatch } from '../process/clock.ts'
import { log, reason } from '../process/log.ts'
import { histogram, SHORT_SECONDS } from '../process/metrics/histogram.ts'
import { onShutdown } from '../process/shutdown.ts'
import { store } from '../process/stores.ts'

/** A command without an answer for this long has failed. */
export const COMMAND_TIMEOUT_MS = 500
const RECONNECT_MS_MAX = 500
/** Without the mapping of replies: clients of all mappings would be compared, a tenth of what `tsc` does. */
type ConnectionOptions = Omit<RedisOptions, 'replyMapping'>

/** Installations that share one Redis have names of their own. The braces keep them on one server of a cluster. */
export const redisName = (of: string) => `{tollgate:${sign('bell', 'changes').slice(0, 16)}}:${of}`

const shared = store('redis', new Map<'commands', Redis>())

/** The connection for commands; undefined without `REDIS_URL`. A command fails at once while there is no connection. */
export const redis = (): Redis | undefined => shared.get('commands')

/** Opens the connection for commands. Does not wait for it. */
export async function connectRedis(): Promise<Redis | undefined> {
  if (!env.REDIS_URL || shared.has('commands')) return redis()
  const commands = await open({
    enableOfflineQueue: false,
    // The state of the server is what the commands say.
    enableReadyCheck: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    commandTimeout: COMMAND_TIMEOUT_MS,
  })
  warnOfOutages(commands)
  shared.set('commands', commands)
  return commands
}

/** Milliseconds of one answer. @returns undefined where there is none */
export async function redisLatency_ms(): Promise<number | undefined> {
  const elapsed = stopwatch()
  const answer = await redis()
    ?.ping()
    .catch(() => undefined)
  return answer === undefined ? undefined : elapsed()
}

type Script = (keys: number, ...rest: (string | number)[]) => Promise<unknown>

const MS_PER_SECOND = 1000
const scriptSeconds = histogram(
  'tollgate_redis_seconds',
  'Answers of Redis, by the script; also those that failed.',
  ['script'],
  SHORT_SECONDS,
)

/** Runs a script by its hash, or by its text where the server does not know it. @throws when there is no answer in time */
export async function runScript(
  name: string,
  lua: string,
  keys: string[],
  rest: (string | number)[],
): Promise<unknown> {
  const client = redis()
  if (!client) throw new Error('no connection')
  const commands = client as unknown as Record<string, Script>
  if (!commands[name]) client.defineCommand(name, { lua })
  const elapsed = stopwatch()
  try {
    return await commands[name]!(keys.length, ...keys, ...rest)
  } finally {
    scriptSeconds.of(name).observe(elapsed() / MS_PER_SECOND)
  }
}

/** Resolves when the first connection is there, or after as long as a command may take. */
export async function firstConnection() {
  const client = redis()
  if (!client || client.status === 'ready') return
  await Promise.race([new Promise<void>(resolve => client.once('ready', resolve)), Bun.sleep(COMMAND_TIMEOUT_MS)])
}

/** Opens a new connection in place of one on which nothing comes back. */
export const reconnectRedis = () => redis()?.disconnect(true)

/** A connection that subscribes: it connects again by itself, and subscribes again. */
export async function connectListener(): Promise<Redis> {
  const listener = await open({ maxRetriesPerRequest: null })
  // The other connection warns.
  listener.on('error', () => {})
  return listener
}

async function open(options: ConnectionOptions): Promise<Redis> {
  // Loaded for several nodes alone.
  const { default: Redis } = await import('ioredis')
  const retryStrategy = (times: number) => Math.min(times * 50, RECONNECT_MS_MAX)
  const common = { connectTimeout: 2000, retryStrategy, ...options }
  const sentinel = sentinelOptions(env.REDIS_URL!)
  const client = sentinel
    ? new Redis({ ...common, sentinelRetryStrategy: retryStrategy, ...sentinel })
    : new Redis(env.REDIS_URL!, common)
  onShutdown('database', () => client.disconnect())
  return client
}

const SENTINEL_PORT = 26_379
const sentinelAddress = /^redis-sentinel:\/\/(?:(?:([^:@/]*):)?([^@/]*)@)?([^@/]+)\/([^/?]+)(?:\/(\d+))?$/

/** @returns undefined for an address of another kind */
export function sentinelOptions(address: string): ConnectionOptions | undefined {
  const [, username, password, hosts, name, db] = sentinelAddress.exec(address) ?? []
  if (!hosts) return undefined
  const sentinels = hosts.split(',').map(text => {
    const { hostname, port } = new URL(`redis://${text}`)
    return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || SENTINEL_PORT) }
  })
  return {
    sentinels,
    name,
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
    ...(db && { db: Number(db) }),
  }
}

/** One warning for each outage, however often a connection is tried. */
function warnOfOutages(client: Redis) {
  let isOut = false
  client.on('error', error => {
    if (!isOut)
      log.warn('Redis cannot be reached; changes reach other nodes within a second', { reason: reason(error) })
    isOut = true
  })
  client.on('ready', () => {
    isOut = false
  })
}
