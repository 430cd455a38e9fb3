/**
 * `bun run bench -- --against COMMIT [--rounds N] [--warm CALLS]`: the executables of another commit and of what is there
 * now, in turn and in one run, each with a database of its own. The CPU of a call is compared by the least of the rounds,
 * which other work on the machine disturbs least, and by their median.
 */
import { parseArgs } from 'node:util'
import { residentMb } from '../support/app/resident-memory.ts'
import type { Load } from './load.ts'
import { loaded } from './loaded.ts'
import { median } from './median.ts'
import { contextSwitches, processorSeconds, startGateways, type Target } from './targets.ts'

type Part = Pick<Load, 'stream' | 'connections' | 'requests' | 'model'> & { name: string }

const parts: Part[] = [
  { name: 'whole, 32 connections', stream: false, connections: 32, requests: 4000, model: 'bench' },
  { name: 'whole, 128 connections', stream: false, connections: 128, requests: 4000, model: 'bench' },
  { name: 'whole, one at a time', stream: false, connections: 1, requests: 800, model: 'bench' },
  { name: 'streams of 200 chunks, 32', stream: true, connections: 32, requests: 480, model: 'bench' },
  { name: 'the same from Anthropic’s format', stream: true, connections: 32, requests: 480, model: 'translated' },
]
/** For as long as it takes. */
const SECONDS = 600
const SETTLE_MS = 300

interface Round {
  part: string
  target: string
  processor_us: number
  switches: number
  p50_ms: number
  failed: number
}

/** @returns the report */
export async function compare(args: string[]): Promise<string> {
  const { values } = parseArgs({
    args,
    options: {
      against: { type: 'string' },
      rounds: { type: 'string', default: '10' },
      warm: { type: 'string', default: '60000' },
    },
  })
  const commit = values.against!
  const targets = await startGateways(commit)
  const idle = targets.map(({ pid }) => residentMb(pid))
  for (const target of targets)
    for (const part of parts)
      await measure(target, { ...part, requests: Math.ceil((Number(values.warm) * part.requests) / totalRequests) })
  const rounds: Round[] = []
  for (let round = 0; round < Number(values.rounds); round++)
    for (const part of parts)
      for (const target of round % 2 ? targets.toReversed() : targets) rounds.push(await measure(target, part))
  const names = targets.map(({ name }) => name)
  return [
    `| ${commit}, now | CPU µs, least | × | CPU µs, median | × | context switches | p50 ms |`,
    '|---|--:|--:|--:|--:|--:|--:|',
    ...parts.map(part => rowOf(part.name, names, rounds)),
    '',
    `memory, MB: ${targets.map(({ name, pid }, at) => `${name} ${idle[at]!.toFixed(0)} before, ${residentMb(pid).toFixed(0)} after`).join('; ')}`,
    `failed: ${rounds.reduce((sum, { failed }) => sum + failed, 0)}`,
    '',
  ].join('\n')
}

const totalRequests = parts.reduce((sum, { requests }) => sum + requests, 0)

async function measure(target: Target, { name, ...part }: Part): Promise<Round> {
  const before = [processorSeconds(target.pid), contextSwitches(target.pid)] as const
  const { requests, failed, p50_ms } = await loaded({ url: target.url, key: target.key, seconds: SECONDS, ...part })
  await Bun.sleep(SETTLE_MS)
  return {
    part: name,
    target: target.name,
    processor_us: ((processorSeconds(target.pid) - before[0]) * 1e6) / requests,
    switches: (contextSwitches(target.pid) - before[1]) / requests,
    p50_ms,
    failed,
  }
}

function rowOf(part: string, names: string[], rounds: Round[]): string {
  const of = (name: string, field: 'processor_us' | 'switches' | 'p50_ms') =>
    rounds.filter(round => round.part === part && round.target === name).map(round => round[field])
  const both = (figure: (name: string) => number, digits: number) => {
    const [other, now] = names.map(figure)
    return { text: `${other!.toFixed(digits)}, ${now!.toFixed(digits)}`, ratio: (now! / other!).toFixed(2) }
  }
  const least = both(name => Math.min(...of(name, 'processor_us')), 0)
  const middle = both(name => median(of(name, 'processor_us')), 0)
  const switches = both(name => median(of(name, 'switches')), 1)
  const p50 = both(name => median(of(name, 'p50_ms')), 2)
  return `| ${part} | ${least.text} | ${least.ratio} | ${middle.text} | ${middle.ratio} | ${switches.text} | ${p50.text} |`
}
