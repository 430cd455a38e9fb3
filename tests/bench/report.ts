/** The bench's table, and whether its marks are met. */
import { cpus } from 'node:os'
import type { Load, Result } from './load.ts'
import { median } from './median.ts'

export type Measured = Pick<Load, 'stream' | 'connections'> &
  Result & { target: string; processor_seconds: number; resident_mb: number }

/** Very many streams at once, through a process that has just been started or has worked. */
export type Crowd = Measured & { when: 'fresh' | 'after the load' }

export type Memory = { target: string; after: { calls: number; resident_mb: number }[] }

export type Idle = { target: string; resident_mb: number }

type All = {
  measured: Measured[]
  words: Measured[]
  crowds: Crowd[]
  memory: Memory[]
  idle: Idle[]
  /** Whole calls and streams side by side. */
  mixed: Measured[]
  /** Calls of a healthy model beside some of the one that `target` names. */
  besides: Measured[]
  /** Of one request to Bedrock. */
  signing_ms: number
}

type Mark = { says: string; value: string; met: boolean }

/** The median over the rounds of one case. */
function of(measured: Measured[], target: string, stream: boolean, connections: number) {
  const rounds = measured.filter(
    one => one.target === target && one.stream === stream && one.connections === connections,
  )
  return {
    rate: median(rounds.map(one => one.requests / one.seconds)),
    p50_ms: median(rounds.map(one => one.p50_ms)),
    p99_ms: median(rounds.map(one => one.p99_ms)),
    processor_us: median(rounds.map(one => (one.processor_seconds / one.requests) * 1e6)),
    resident_mb: Math.max(...rounds.map(one => one.resident_mb)),
    failed: rounds.reduce((sum, one) => sum + one.failed, 0),
  }
}

/** The most resident memory of a target in some cases. */
const peakOf = (cases: Measured[], target: string) =>
  Math.max(...cases.filter(one => one.target === target).map(one => one.resident_mb))

export function marks({ measured, words, crowds, memory, idle, mixed, besides, signing_ms }: All): Mark[] {
  const ratio = (stream: boolean, target = 'Tollgate') =>
    of(measured, target, stream, 32).rate / of(measured, 'bare', stream, 32).rate
  const translated = ratio(true, 'translated')
  const [direct, bare, tollgate] = ['direct', 'bare', 'Tollgate'].map(name => of(measured, name, false, 1).p50_ms)
  const added = (tollgate! - direct!) / (bare! - direct!)
  const crowd = crowds.find(one => one.target === 'Tollgate' && one.when === 'fresh')!
  const failed = [...measured, ...words, ...mixed, ...besides].reduce((sum, one) => sum + one.failed, 0)
  const word_ms = wordOf(words, 'Tollgate').p99_ms - wordOf(words, 'direct').p99_ms
  const frame_ms = wordOf(words, 'bedrock').p99_ms
  const p95 = (model: string) => median(besides.filter(one => one.target === model).map(one => one.p95_ms))
  const beside = p95('limited') / p95('bench')
  const [early, late] = memory.find(one => one.target === 'Tollgate')!.after
  const grown_mb = late!.resident_mb - early!.resident_mb
  return [
    {
      says: 'whole responses at 32: ≥ 0.60 of the bare proxy',
      value: ratio(false).toFixed(2),
      met: ratio(false) >= 0.6,
    },
    { says: 'streams at 32: ≥ 0.80 of the bare proxy', value: ratio(true).toFixed(2), met: ratio(true) >= 0.8 },
    {
      says: 'streams from Anthropic’s format at 32: ≥ 0.50 of the bare proxy',
      value: translated.toFixed(2),
      met: translated >= 0.5,
    },
    ...['claude-bedrock', 'nova-bedrock'].map(name => ({
      says: `streams from ${name} at 32: ≥ 0.40 of the bare proxy`,
      value: ratio(true, name).toFixed(2),
      met: ratio(true, name) >= 0.4,
    })),
    {
      says: 'first word on its way after its frame from Bedrock: p99 ≤ 5 ms beyond direct’s',
      value: `${(frame_ms - wordOf(words, 'direct').p99_ms).toFixed(2)} ms`,
      met: frame_ms - wordOf(words, 'direct').p99_ms <= 5,
    },
    {
      says: 'signature of a request to Bedrock: ≤ 0.2 ms',
      value: `${signing_ms.toFixed(3)} ms`,
      met: signing_ms <= 0.2,
    },
    { says: 'added p50 at 1: ≤ 2 × what the bare proxy adds', value: added.toFixed(2), met: added <= 2 },
    {
      says: `${crowd.connections} concurrent streams complete`,
      value: `${crowd.requests - crowd.failed}`,
      met: crowd.requests === crowd.connections && !crowd.failed,
    },
    {
      says: 'and take ≤ 250 MB on a fresh process',
      value: `${crowd.resident_mb.toFixed(0)} MB`,
      met: crowd.resident_mb <= 250,
    },
    {
      says: 'delay of the first chunk: p99 ≤ 5 ms beyond direct’s',
      value: `${word_ms.toFixed(2)} ms`,
      met: word_ms <= 5,
    },
    {
      says: 'p95 beside a model that answers 429: ≤ 1.1 × that beside a healthy one',
      value: `${p95('limited').toFixed(2)} and ${p95('bench').toFixed(2)} ms, ${beside.toFixed(2)} ×`,
      met: beside <= 1.1,
    },
    {
      says: `memory is flat from ${early!.calls} to ${late!.calls} calls: ≤ 64 MB more`,
      value: `${grown_mb.toFixed(0)} MB`,
      met: grown_mb <= 64,
    },
    atMost('idle', idle.find(one => one.target === 'Tollgate')!.resident_mb, 80),
    atMost('128 whole calls and 64 streams side by side', peakOf(mixed, 'Tollgate'), 180),
    atMost('32 streams at full speed', of(measured, 'Tollgate', true, 32).resident_mb, 250),
    { says: 'no call failed', value: `${failed} failed`, met: failed === 0 },
  ]
}

const atMost = (what: string, resident_mb: number, most_mb: number): Mark => ({
  says: `memory, ${what}: ≤ ${most_mb} MB`,
  value: `${resident_mb.toFixed(0)} MB`,
  met: resident_mb <= most_mb,
})

export function report(all: All): string {
  const { measured, words, crowds, memory, idle, mixed } = all
  const lines = [
    `${cpus().length} × ${cpus()[0]?.model}, Bun ${Bun.version}`,
    '',
    '| response | connections | target | requests/s | of bare | p50 ms | p99 ms | CPU µs | RSS MB |',
    '|---|--:|---|--:|--:|--:|--:|--:|--:|',
    ...[false, true].flatMap(stream => [1, 32, 256].flatMap(connections => rows(measured, stream, connections))),
    '',
    '| delay of the first chunk | p50 ms | p99 ms |',
    '|---|--:|--:|',
    ...['direct', 'bare', 'Tollgate', 'bedrock'].map(name => {
      const { p50_ms, p99_ms } = wordOf(words, name)
      return `| ${name} | ${p50_ms.toFixed(2)} | ${p99_ms.toFixed(2)} |`
    }),
    '',
    ...crowds.map(
      one =>
        `${one.connections} streams of 4 s through ${one.target}, ${one.when}: ${one.requests - one.failed} complete in ${one.seconds.toFixed(1)} s, ${one.resident_mb.toFixed(0)} MB`,
    ),
    ...idle.map(({ target, resident_mb }) => {
      const peak = peakOf(mixed, target).toFixed(0)
      return `${target}: ${resident_mb.toFixed(0)} MB idle, at most ${peak} MB with 128 whole calls and 64 streams`
    }),
    ...memory.flatMap(({ target, after }) =>
      after.map(({ calls, resident_mb }) => `${target} after ${calls} calls: ${resident_mb.toFixed(0)} MB`),
    ),
    '',
    '| target | value | |',
    '|---|--:|---|',
    ...marks(all).map(mark => `| ${mark.says} | ${mark.value} | ${mark.met ? 'met' : 'not met'} |`),
    '',
  ]
  return lines.join('\n')
}

function wordOf(words: Measured[], target: string) {
  const rounds = words.filter(one => one.target === target)
  return {
    p50_ms: median(rounds.map(one => one.word_p50_ms ?? Number.NaN)),
    p99_ms: median(rounds.map(one => one.word_p99_ms ?? Number.NaN)),
  }
}

function rows(measured: Measured[], stream: boolean, connections: number): string[] {
  const bare = of(measured, 'bare', stream, connections)
  const names = [
    'direct',
    'bare',
    'Tollgate',
    ...(stream && connections === 32 ? ['translated', 'claude-bedrock', 'nova-bedrock'] : []),
  ]
  return names.map(name => {
    const one = of(measured, name, stream, connections)
    const cells = [
      stream ? '200 chunks' : '1 KB',
      connections,
      name,
      one.rate.toFixed(0),
      (one.rate / bare.rate).toFixed(2),
      one.p50_ms.toFixed(2),
      one.p99_ms.toFixed(2),
      one.processor_us.toFixed(0),
      one.resident_mb.toFixed(0),
    ]
    return `| ${cells.join(' | ')} |`
  })
}
