/** Limits in Redis: one script for all rules of a call. Beside it each node keeps its own events and leases. */
import { reason } from '../process/log.ts'
import { DECIDE, TURN } from './limit-scripts.ts'
import { type Decision, decideWithin, heldHere, isTokenRule, keepHere, type Rule, releaseHere } from './limits-here.ts'
import { isRedisUsed, knownEpoch, leaveRedis, shareOf } from './limits-outage.ts'
import { LEASE_MS, leaseKey, leases, nameOf, newMoment, noteOthers, redisKeyOf, spentName } from './limits-own.ts'
import { redisName, runScript } from './redis.ts'

type Command = Rule['kind'] | 'free'

interface Step {
  kind: Command
  key: string
  count: number
  ms: number
  /** Number of the rule of running calls; 0 is none. */
  running: number
  name: string
}

export async function decideInRedis(rules: readonly Rule[]): Promise<Decision> {
  const at_ms = newMoment()
  const steps = rules.map(rule => stepOf(rule, rules, at_ms))
  const reply = await run(steps)
  const decision = reply ? fromReply(rules, reply, at_ms) : decideWithin(rules, at_ms, shareOf)
  const keys = steps.filter(({ kind }) => kind === 'lease').map(({ key }) => key)
  if (!decision.wait && keys.length) leases.set(at_ms, keys)
  return decision
}

export function releaseInRedis(decision: Decision, events: readonly Rule[] = []) {
  const at_ms = newMoment()
  releaseHere(decision, events, at_ms)
  leases.delete(decision.at_ms)
  const steps = [...freed(decision, 'lease'), ...events.map(rule => stepOf(rule, events, at_ms))]
  if (steps.length) void run(steps)
}

/** Takes back the events that a decision had room for. */
export async function takeBackInRedis(decision: Decision) {
  for (const rule of decision.rules) if (rule.kind === 'take') rule.window.remove(rule.key, decision.at_ms)
  await run(freed(decision, 'take'))
}

const freed = ({ rules, at_ms }: Decision, kind: Rule['kind']): Step[] =>
  rules.filter(rule => rule.kind === kind).map(rule => ({ ...stepOf(rule, rules, at_ms), kind: 'free' }))

function stepOf(rule: Rule, rules: readonly Rule[], at_ms: number): Step {
  const running =
    rule.kind === 'lease' || isTokenRule(rule) || rule.running === undefined ? -1 : leaseIndex(rules, rule.running)
  return {
    kind: rule.kind === 'refund' ? 'free' : rule.kind,
    key: redisKeyOf(rule),
    count: rule.count,
    ms: rule.kind === 'lease' ? LEASE_MS : rule.seconds * 1000,
    running: running + 1,
    name: isTokenRule(rule) ? spentName(rule.at_ms ?? at_ms, rule.tokens) : nameOf(at_ms),
  }
}

const leaseIndex = (rules: readonly Rule[], key: string) =>
  rules.findIndex(rule => rule.kind === 'lease' && rule.key === key)

/** Milliseconds until there is room and events before, of each rule in turns. @returns undefined without Redis */
async function run(steps: readonly Step[]): Promise<number[] | undefined> {
  if (!isRedisUsed()) return undefined
  const keys = [redisName('epoch'), ...steps.map(({ key }) => key)]
  const rest = steps.flatMap(({ kind, count, ms, running, name }) => [kind, count, ms, running, name])
  try {
    const reply = (await runScript('tollgateDecide', DECIDE, keys, [knownEpoch(), LEASE_MS, ...rest])) as number[]
    if (typeof reply[0] !== 'string') return reply
    leaveRedis('it was emptied')
  } catch (error) {
    leaveRedis(reason(error))
  }
  return undefined
}

function fromReply(rules: readonly Rule[], reply: readonly number[], at_ms: number): Decision {
  const waits = rules.map((_, index) => Math.ceil(reply[2 * index]! / 1000))
  const counts = rules.map((_, index) => reply[2 * index + 1]!)
  rules.forEach((rule, index) => {
    const own = rule.kind === 'lease' ? heldHere(rule.key) : rule.window.count(rule.key, rule.seconds)
    const ms = rule.kind === 'lease' ? LEASE_MS : rule.seconds * 1000
    noteOthers(redisKeyOf(rule), counts[index]! - own, ms)
  })
  const wait = Math.max(0, ...waits)
  if (!wait) keepHere(rules, at_ms)
  return { wait, refused: waits.indexOf(wait), counts, rules, at_ms }
}

interface Line {
  pace_ms: number
  grace_ms: number
  places: number
}

/** A place in a line. @returns the whole seconds until the turn, 0 when it has come; undefined without Redis */
export async function turnInRedis(line: string, subscriber: string, rules: Line): Promise<number | undefined> {
  if (!isRedisUsed()) return undefined
  const keys = [redisName('epoch'), leaseKey(`${line} turns`), leaseKey(`${line} next`)]
  try {
    const rest = [knownEpoch(), subscriber, rules.pace_ms, rules.grace_ms, rules.places]
    const wait_ms = (await runScript('tollgateTurn', TURN, keys, rest)) as number
    if (wait_ms >= 0) return Math.ceil(wait_ms / 1000)
    leaveRedis('it was emptied')
  } catch (error) {
    leaveRedis(reason(error))
  }
  return undefined
}
