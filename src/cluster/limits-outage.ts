/**
 * Whether limits are in Redis. While they are not, each node keeps to its share; before they are again, every node has had
 * time to add what it granted meanwhile, so that neither an outage nor an empty Redis opens a window.
 */
import { randomKey } from '../crypto/random-id.ts'
import { now_ms, stopwatch } from '../process/clock.ts'
import { log, reason } from '../process/log.ts'
import { onReset } from '../process/stores.ts'
import { EPOCH, REMEMBER } from './limit-scripts.ts'
import type { Room, Rule } from './limits-here.ts'
import {
  eventsSince,
  forgetOldOthers,
  isLimitShared,
  LEASE_MS,
  type LimitMemory,
  othersIn,
  redisKeyOf,
  runningLeases,
} from './limits-own.ts'
import { countNodes, NODE_ID } from './node.ts'
import { COMMAND_TIMEOUT_MS, firstConnection, reconnectRedis, redisName, runScript } from './redis.ts'

/** Time for each node to see that Redis is back, or empty, and to add its own. */
const SETTLE_MS = 3000
/** Runs of `keepLimits`, one each second. */
const NODES_EVERY = 5
const LEASES_EVERY = 5
/** Attempts without an answer before the connection is made anew. */
const SILENT_MAX = 3
/** Events and keys of one command. */
const CHUNK = 500

const start = () => ({
  isUp: false,
  /** Whether Redis has been in use before. */
  wasUp: false,
  isWarned: false,
  epoch: '',
  /** Of the epoch. */
  age_ms: 0,
  /** Up to here Redis has the events of this node. */
  added_ms: 0,
  sinceAnswer: undefined as (() => number) | undefined,
  silent: 0,
  /** As the database counts them, and as Redis last did: a new node is in one of them within a second. */
  nodesInDatabase: 1,
  nodesInRedis: 1,
  run: 0,
})
let state = start()
onReset('limits-outage', () => {
  state = start()
})

/** How many nodes decide for themselves; 1 while they decide together. */
export const nodesApart = () => (isLimitShared && !state.isUp ? nodesAlive() : 1)

const nodesAlive = () => Math.max(state.nodesInDatabase, state.nodesInRedis)

export const isRedisUsed = () => state.isUp
export const knownEpoch = () => state.epoch

/** From here on this node keeps to its share. One warning an outage. */
export function leaveRedis(why: string) {
  state.sinceAnswer = undefined
  if (state.isUp) {
    state.isUp = false
    // Commands without an answer may have been lost.
    state.added_ms = now_ms() - 4 * COMMAND_TIMEOUT_MS
  }
  // At the start the connection may not be there yet.
  if (!state.wasUp && state.silent < SILENT_MAX - 1) return
  if (!state.isWarned) log.warn('limits are kept without Redis, each node has its share', { reason: why })
  state.isWarned = true
}

/** The share of this node, less what the others had when Redis was last asked. */
export function shareOf(rule: Rule): Room {
  const others = othersIn(redisKeyOf(rule))
  const count = Math.min(Math.ceil(rule.count / nodesAlive()), rule.count - others.count)
  return { count, seconds: Math.max(1, Math.ceil(others.ms / 1000)) }
}

/** Each second: looks for Redis, renews leases, and adds what it does not have. */
export async function keepLimits() {
  if (!isLimitShared) return
  const run = state.run++
  if (run === 0) await Promise.all([firstConnection(), countLivingNodes()])
  else if (run % NODES_EVERY === 0) void countLivingNodes()
  if (run % NODES_EVERY === 0) forgetOldOthers()
  try {
    await keepEpoch()
    state.silent = 0
    if (state.isUp && run % LEASES_EVERY === 0) await remember([...runningLeases()])
    if (!state.isUp) await settle()
  } catch (error) {
    leaveRedis(reason(error))
    if (++state.silent % SILENT_MAX === 0) reconnectRedis()
  }
}

async function countLivingNodes() {
  try {
    state.nodesInDatabase = await countNodes()
  } catch {
    // The number before holds while the database is gone.
  }
}

async function keepEpoch() {
  const keys = [redisName('epoch'), redisName('nodes')]
  const rest = [randomKey(16), NODE_ID, LEASE_MS]
  const [found, age, nodes] = (await runScript('tollgateEpoch', EPOCH, keys, rest)) as [string, number, number]
  state.age_ms = age
  // In a Redis that was just emptied the others are not yet.
  state.nodesInRedis = age < SETTLE_MS ? Math.max(state.nodesInRedis, nodes) : nodes
  if (found === state.epoch) return
  if (state.isUp) leaveRedis('it was emptied')
  state.epoch = found
  state.added_ms = 0
  state.sinceAnswer = undefined
}

async function settle() {
  state.sinceAnswer ??= stopwatch()
  const { sinceAnswer } = state
  await addOwn()
  const isSettled = state.age_ms >= SETTLE_MS && (!state.wasUp || sinceAnswer() >= SETTLE_MS)
  if (!isSettled || state.sinceAnswer !== sinceAnswer) return
  // What is sent from here on comes after it.
  const added = addOwn()
  state.isUp = state.wasUp = true
  state.isWarned = false
  log.info('limits are kept in Redis')
  await added
}

/** The events since the last time; the leases each time. */
async function addOwn() {
  const at_ms = now_ms()
  const own = [...eventsSince(state.added_ms), ...runningLeases()]
  await remember(own)
  // Of this millisecond there may be more.
  state.added_ms = Math.max(state.added_ms, at_ms - 1)
}

/** In commands of a bounded size; all are sent at once. */
async function remember(own: readonly LimitMemory[]) {
  const commands: { keys: string[]; rest: (string | number)[] }[] = []
  let command = { keys: [] as string[], rest: [] as (string | number)[] }
  for (const { key, ms, events } of own) {
    for (let from = 0; from < events.length; from += 2 * CHUNK) {
      const part = events.slice(from, from + 2 * CHUNK)
      if (command.rest.length + part.length > 2 * CHUNK) {
        commands.push(command)
        command = { keys: [], rest: [] }
      }
      command.keys.push(key)
      command.rest.push(ms, part.length / 2, ...part)
    }
  }
  if (command.keys.length) commands.push(command)
  await Promise.all(commands.map(({ keys, rest }) => runScript('tollgateRemember', REMEMBER, keys, rest)))
}
