/**
 * `bun run bench -- --steps`: what each step of a call costs, of one caller at a time: microseconds until its mark, waits
 * included, and objects allocated. The first step, `receive`, begins with the answer of the call before.
 */
import type { Load } from './load.ts'
import { loaded } from './loaded.ts'
import type { Step } from './steps-recorder.ts'
import { setUp, startFromSource, startUpstream, type Target } from './targets.ts'

const WARM_CALLS = 4000
const CALLS = { us: 2000, cells: 200 }
/** A caller at a time takes as long as it takes. */
const SECONDS = 600

type Figure = keyof typeof CALLS

/** @returns the report */
export async function stepTables(): Promise<string> {
  const upstream = await startUpstream()
  const kinds = { whole: false, 'stream of 200 chunks': true }
  const tables: string[] = []
  for (const [kind, stream] of Object.entries(kinds)) {
    const us = await measured(upstream, stream, 'us')
    const cells = await measured(upstream, stream, 'cells')
    tables.push(`| ${kind} | µs | objects | most of them |\n|---|--:|--:|---|\n${rows(us, cells).join('\n')}\n`)
  }
  return tables.join('\n')
}

async function measured(upstream: Target, stream: boolean, figure: Figure): Promise<Record<string, Step>> {
  const server = await startFromSource(figure)
  const key = await setUp(server.url, upstream.url)
  const load: Load = { url: server.url, key, model: 'bench', stream, connections: 1, seconds: SECONDS, requests: 0 }
  await loaded({ ...load, requests: stream ? WARM_CALLS / 4 : WARM_CALLS })
  await server.toggle()
  await loaded({ ...load, requests: CALLS[figure] })
  return JSON.parse(await server.toggle()).steps
}

function rows(us: Record<string, Step>, cells: Record<string, Step>): string[] {
  return Object.entries(us).map(([name, step]) => {
    const counted = Object.entries(cells[name]?.cells ?? {}).map(
      ([type, count]) => [type, count / cells[name]!.times] as const,
    )
    const allocated = counted.filter(([type, count]) => count >= 0.5 && !isOfCounting(type))
    const most = allocated.sort(([, one], [, other]) => other - one).slice(0, 5)
    const sum = allocated.reduce((sum, [, count]) => sum + count, 0)
    const named = most.map(([type, count]) => `${type} ${count.toFixed(0)}`).join(', ')
    return `| ${name} | ${(step.us / step.times).toFixed(1)} | ${sum.toFixed(0)} | ${named} |`
  })
}

/** Shapes of the counts themselves. */
const isOfCounting = (type: string) => type === 'Structure' || type === 'PropertyTable'
