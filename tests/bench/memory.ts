/**
 * `bun run bench:memory`: the executable's start and its memory in each situation that has a target, a fresh process for
 * each. Memory that is not pages of the executable (`RssAnon`) and all that is resident (`VmRSS`), in MB.
 */
import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import type { Load } from './load.ts'
import { loaded } from './loaded.ts'
import { median } from './median.ts'
import { build, setUp, signIn, startExecutable, startUpstream, stopTargets, type Target } from './targets.ts'

const STARTS = 7
const CALM_MS = 15_000
const AFTER_CALLS_MS = 30_000
const SIGN_IN_MS = 2000
const LOAD_SECONDS = 10
const SAMPLE_MS = 20
const NO_END = 1_000_000

try {
  const upstream = await startUpstream()
  const file = await build()
  print(`${cpus().length} × ${cpus()[0]?.model}, Bun ${Bun.version}`)
  await starts(file)
  await rests(file, upstream)
  await peaks(file, upstream)
} finally {
  await stopTargets()
}

async function starts(file: string) {
  const warm: number[] = []
  const cold: number[] = []
  const again: number[] = []
  for (let count = 0; count < STARTS; count++) {
    // Drops the pages of this file alone from the cache of the system.
    await Bun.$`dd if=${file} iflag=nocache count=0`.quiet()
    for (const times of [cold, warm]) {
      const target = await startExecutable(file)
      times.push(target.ready_ms)
      await killed(target)
      if (times === warm) again.push((await restarted(file, target.data)).ready_ms)
    }
  }
  print(`start, ms: warm ${ms(warm)} (200), cold ${ms(cold)} (350), after kill -9 ${ms(again)} (250)`)
}

async function rests(file: string, upstream: Target) {
  const target = await ready(file, upstream)
  await Bun.sleep(CALM_MS)
  const before = memoryOf(target)
  const [peak] = await peakOf(target, async () => {
    await signIn(target.url)
    await Bun.sleep(SIGN_IN_MS)
  })
  await Bun.sleep(CALM_MS)
  print(
    `15 s after a sign-in: ${of(memoryOf(target))} (40 anonymous); in it ${peak!.anonymous_mb - before.anonymous_mb} more (80)`,
  )
  await load(target, { stream: false, connections: 32, requests: 10_000 })
  await Bun.sleep(AFTER_CALLS_MS)
  print(`30 s after 10,000 calls: ${of(memoryOf(target))} (60 anonymous)`)
  await killed(target)
}

async function peaks(file: string, upstream: Target) {
  const seconds = LOAD_SECONDS
  const whole = { stream: false, connections: 128, seconds }
  const loads: [string, number, Partial<Load>[]][] = [
    ['128 whole calls and 64 streams', 200, [whole, { stream: true, connections: 64, seconds }]],
    ['32 streams at full speed', 180, [{ stream: true, connections: 32, seconds }]],
    ['1,000 paced streams', 180, [{ stream: true, connections: 1000, requests: 1000, model: 'paced' }]],
  ]
  for (const [name, target_mb, parts] of loads) {
    const target = await ready(file, upstream)
    const [peak, results] = await peakOf(target, () => Promise.all(parts.map(part => load(target, part))))
    const failed = results.reduce((sum, result) => sum + result.failed, 0)
    print(`${name}, at most: ${of(peak!)} (${target_mb}), failed ${failed}`)
    await killed(target)
  }
}

async function ready(file: string, upstream: Target): Promise<Target> {
  const target = await startExecutable(file)
  return { ...target, key: await setUp(target.url, upstream.url) }
}

async function restarted(file: string, data: string) {
  const target = await startExecutable(file, data)
  await killed(target)
  return target
}

async function killed({ pid }: Target) {
  process.kill(pid, 'SIGKILL')
  await Bun.sleep(SAMPLE_MS)
}

function load(target: Target, part: Partial<Load>) {
  const whole = { model: 'bench', requests: NO_END, seconds: NO_END, stream: false, connections: 1 }
  return loaded({ url: target.url, key: target.key, ...whole, ...part })
}

interface Memory {
  anonymous_mb: number
  resident_mb: number
}

function memoryOf({ pid }: Target): Memory {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const of = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024)
  return { anonymous_mb: of('RssAnon'), resident_mb: of('VmRSS') }
}

async function peakOf<T>(target: Target, act: () => Promise<T>): Promise<[Memory, T]> {
  const peak = memoryOf(target)
  const watch = setInterval(() => {
    const now = memoryOf(target)
    peak.anonymous_mb = Math.max(peak.anonymous_mb, now.anonymous_mb)
    peak.resident_mb = Math.max(peak.resident_mb, now.resident_mb)
  }, SAMPLE_MS)
  try {
    return [peak, await act()]
  } finally {
    clearInterval(watch)
  }
}

function of({ anonymous_mb, resident_mb }: Memory): string {
  return `${anonymous_mb} anonymous, ${resident_mb} resident`
}

function ms(times: number[]): string {
  return `${Math.round(Math.min(...times))} to ${Math.round(Math.max(...times))}, median ${Math.round(median(times))}`
}

function print(line: string) {
  process.stdout.write(`${line}\n`)
}
