/**
 * `bun run bench -- --with BACKUP_URL=/mnt/backup [--with NAME=VALUE] [--rounds N] [--seconds N]`: two processes of what is
 * there now, one of them with these variables, in turn and in one run, each with a database of its own. Each round lasts so
 * many seconds at about as many calls a second, so that work beside the calls counts in full. The CPU of a call is compared
 * by the least of the rounds, which other work on the machine disturbs least, and by their median. `--with budgets` stands
 * for a budget each of user, key and channel.
 */
import { parseArgs } from 'node:util'
import { loaded } from './loaded.ts'
import { median } from './median.ts'
import { processorSeconds, setBudgets, startVariants, type Target } from './targets.ts'

const parts = [
  { name: 'about 300 calls/s', connections: 16, pause_ms: 50 },
  { name: 'as many as go, 32 connections', connections: 32, pause_ms: undefined },
]
const REQUESTS = 1_000_000
const WARM_SECONDS = 10
/** Not a variable: the site of the second process is given budgets. */
const BUDGETS = 'budgets'

interface Round {
  part: string
  target: string
  processor_us: number
  rate: number
  p50_ms: number
  failed: number
}

/** @returns the report */
export async function compareWith(args: string[]): Promise<string> {
  const { values } = parseArgs({
    args,
    options: {
      with: { type: 'string', multiple: true },
      rounds: { type: 'string', default: '10' },
      seconds: { type: 'string', default: '10' },
    },
  })
  const pairs = values
    .with!.filter(text => text !== BUDGETS)
    .map(text => text.split(/=(.*)/s).slice(0, 2) as [string, string])
  const targets = await startVariants(Object.fromEntries(pairs))
  if (values.with!.includes(BUDGETS)) await setBudgets(targets[1]!.url)
  for (const target of targets) await measure(target, parts[1]!, WARM_SECONDS)
  const rounds: Round[] = []
  for (let round = 0; round < Number(values.rounds); round++)
    for (const part of parts)
      for (const target of round % 2 ? targets.toReversed() : targets)
        rounds.push(await measure(target, part, Number(values.seconds)))
  return [
    `| without, with ${values.with!.map(text => text.split('=')[0]).join(' ')} | calls/s | CPU µs, least | × | CPU µs, median | × | p50 ms |`,
    '|---|--:|--:|--:|--:|--:|--:|',
    ...parts.map(({ name }) => rowOf(name, rounds)),
    '',
    `failed: ${rounds.reduce((sum, { failed }) => sum + failed, 0)} of ${Math.round(rounds.reduce((sum, { rate }) => sum + rate * Number(values.seconds), 0))} calls`,
    '',
  ].join('\n')
}

async function measure(target: Target, { name, ...part }: (typeof parts)[number], seconds: number): Promise<Round> {
  const before = processorSeconds(target.pid)
  const load = { url: target.url, key: target.key, model: 'bench', stream: false, requests: REQUESTS, seconds, ...part }
  const { requests, failed, p50_ms, seconds: took } = await loaded(load)
  return {
    ...{ part: name, target: target.name, p50_ms, failed, rate: requests / took },
    processor_us: ((processorSeconds(target.pid) - before) * 1e6) / requests,
  }
}

function rowOf(part: string, rounds: Round[]): string {
  const both = (figure: (rounds: Round[]) => number, digits: number) => {
    const [without, other] = ['without', 'with'].map(name =>
      figure(rounds.filter(round => round.part === part && round.target === name)),
    )
    return { text: `${without!.toFixed(digits)}, ${other!.toFixed(digits)}`, ratio: (other! / without!).toFixed(3) }
  }
  const rate = both(of => median(of.map(round => round.rate)), 0)
  const least = both(of => Math.min(...of.map(round => round.processor_us)), 0)
  const middle = both(of => median(of.map(round => round.processor_us)), 0)
  const p50 = both(of => median(of.map(round => round.p50_ms)), 2)
  return `| ${part} | ${rate.text} | ${least.text} | ${least.ratio} | ${middle.text} | ${middle.ratio} | ${p50.text} |`
}
