/**
 * `bun run bench [-- --quick]`: the same load on the upstream itself, on a bare proxy and on Tollgate, in turn and in one
 * run, since only ratios of neighbours mean anything on a machine that does other things too. With `--against COMMIT`,
 * the executable of another commit beside that of what is there now; with `--with NAME=VALUE`, what is there now without
 * this variable and with it; with `--steps`, what each step of a call costs.
 */
import { residentMb } from '../support/app/resident-memory.ts'
import { compare } from './against.ts'
import type { Load } from './load.ts'
import { loaded } from './loaded.ts'
import { type Crowd, type Measured, type Memory, marks, report } from './report.ts'
import { signingMs } from './signing.ts'
import { stepTables } from './steps.ts'
import { processorSeconds, startTargets, stopTargets, type Target } from './targets.ts'
import { compareWith } from './with.ts'

const quick = process.argv.includes('--quick')
const rounds = quick ? 1 : 5
const seconds = quick ? 1 : 3
const requests = 1_000_000
const concurrent_streams = 1000
/** After so many calls it is looked how much memory is taken. */
const milestones = quick ? [10_000, 30_000] : [10_000, 100_000]
/** Whole calls and streams that run side by side. */
const side_by_side = { whole: 128, streams: 64 }
/** Callers of one model beside those of another of the same channel. */
const neighbours = { connections: 16, beside: 4, pause_ms: 20 }
/** What has just been freed, such as the memory of a password's hash, is given back a little later. */
const calm_ms = 5000
/** For as long as it takes. */
const a_while_seconds = 600

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => stopTargets().finally(() => process.exit(130)))

try {
  if (process.argv.includes('--against')) process.stdout.write(await compare(process.argv.slice(2)))
  else if (process.argv.includes('--with')) process.stdout.write(await compareWith(process.argv.slice(2)))
  else if (process.argv.includes('--steps')) process.stdout.write(await stepTables())
  else await besideBare()
} finally {
  await stopTargets()
}

async function besideBare() {
  const targets = await startTargets()
  const [, bare, tollgate] = targets
  const gateways = [bare!, tollgate!]

  await Bun.sleep(calm_ms)
  const idle = gateways.map(({ name, pid }) => ({ target: name, resident_mb: residentMb(pid) }))
  const crowds: Crowd[] = []
  for (const target of gateways) crowds.push({ when: 'fresh', ...(await crowd(target)) })
  const memory: Memory[] = []
  for (const target of gateways) memory.push(await memoryOf(target))

  for (const stream of [false, true])
    for (const target of targets) await measure(target, { stream, connections: 32, seconds: 1 })
  const mixed: Measured[] = []
  for (let round = 0; round < rounds; round++) for (const target of gateways) mixed.push(...(await mix(target)))
  const measured: Measured[] = []
  for (const stream of [false, true])
    for (const connections of [1, 32, 256])
      for (let round = 0; round < rounds; round++)
        for (const target of targets) measured.push(await measure(target, { stream, connections, seconds }))
  const usual = { stream: true, connections: 32, seconds }
  for (let round = 0; round < rounds; round++) {
    measured.push(await measure(bare!, usual))
    for (const name of ['translated', 'claude-bedrock', 'nova-bedrock'])
      measured.push(await measure({ ...tollgate!, name }, { ...usual, model: name }))
  }
  const words: Measured[] = []
  for (let round = 0; round < rounds; round++)
    for (const target of targets) words.push(await measure(target, { ...usual, model: 'thoughtful' }))
  for (let round = 0; round < rounds; round++)
    words.push(await measure({ ...tollgate!, name: 'bedrock' }, { ...usual, model: 'thoughtful-bedrock' }))

  const besides: Measured[] = []
  for (let round = 0; round < rounds; round++)
    for (const model of ['bench', 'limited']) besides.push(await measureBeside(tollgate!, model))

  for (const target of gateways) crowds.push({ when: 'after the load', ...(await crowd(target)) })
  const all = { measured, words, crowds, memory, idle, mixed, besides, signing_ms: signingMs() }
  process.stdout.write(report(all))
  process.exitCode = marks(all).every(mark => mark.met) ? 0 : 1
}

type Part = Pick<Load, 'stream' | 'connections' | 'seconds'> & Partial<Load>

async function measure(target: Target, part: Part): Promise<Measured> {
  const load: Load = { url: target.url, key: target.key, model: 'bench', requests, ...part }
  const used = processorSeconds(target.pid)
  let resident_mb = 0
  const watch = setInterval(() => {
    resident_mb = Math.max(resident_mb, residentMb(target.pid))
  }, 50)
  const result = await loaded(load)
  clearInterval(watch)
  return {
    target: target.name,
    ...load,
    ...result,
    processor_seconds: processorSeconds(target.pid) - used,
    resident_mb,
  }
}

function mix(target: Target): Promise<Measured[]> {
  return Promise.all([
    measure(target, { stream: false, connections: side_by_side.whole, seconds }),
    measure(target, { stream: true, connections: side_by_side.streams, seconds }),
  ])
}

/** Whole calls of a healthy model beside some of this one, whose name the result bears. */
async function measureBeside(target: Target, model: string): Promise<Measured> {
  const part = { stream: false, seconds }
  const [healthy] = await Promise.all([
    measure({ ...target, name: model }, { ...part, connections: neighbours.connections }),
    measure(target, { ...part, connections: neighbours.beside, pause_ms: neighbours.pause_ms, model }),
  ])
  return healthy
}

/** What is taken after so many whole answers. */
async function memoryOf(target: Target): Promise<Memory> {
  const after: Memory['after'] = []
  for (const [index, calls] of milestones.entries()) {
    const part = { stream: false, connections: 32, requests: calls - (milestones[index - 1] ?? 0) }
    await measure(target, { ...part, seconds: a_while_seconds })
    await Bun.sleep(calm_ms)
    after.push({ calls, resident_mb: residentMb(target.pid) })
  }
  return { target: target.name, after }
}

/** So many streams at once, each at the pace of a model that writes. */
function crowd(target: Target): Promise<Measured> {
  return measure(target, {
    stream: true,
    connections: concurrent_streams,
    requests: concurrent_streams,
    model: 'paced',
    seconds: 60,
  })
}
