/**
 * Loaded before the server: records the marks of calls between two SIGUSR2, of one call at a time, and writes them to
 * standard error. `STEPS=cells` counts what each step allocates; that takes milliseconds, so times are another run.
 */
import { heapStats } from 'bun:jsc'
import { recordMarks } from '../../src/process/marks.ts'

export interface Step {
  times: number
  us: number
  /** Objects that the step has allocated, by type. */
  cells: Record<string, number>
}

type Counts = Record<string, number>

const counts = (): Counts => heapStats().objectTypeCounts as Counts
const counting = process.env.STEPS === 'cells'
const steps: Record<string, Step> = {}
let isOn = false
let before: Counts = {}
let since = 0
/** What counting allocates itself. */
let overhead: Counts = {}

function record(name: string) {
  if (!isOn) return
  const us = (performance.now() - since) * 1000
  const after = counting ? counts() : {}
  steps[name] ??= { times: 0, us: 0, cells: {} }
  const step = steps[name]
  step.times++
  step.us += us
  for (const [type, count] of Object.entries(difference(after, before)))
    step.cells[type] = (step.cells[type] ?? 0) + count - (overhead[type] ?? 0)
  before = counting ? counts() : {}
  since = performance.now()
}

function difference(after: Counts, before: Counts): Counts {
  const changed = Object.entries(after).map(([type, count]) => [type, count - (before[type] ?? 0)] as const)
  return Object.fromEntries(changed.filter(([, count]) => count !== 0))
}

function start() {
  Bun.gc(true)
  for (let look = 0; counting && look < 3; look++) {
    const first = counts()
    overhead = difference(counts(), first)
  }
  before = counts()
  since = performance.now()
  process.stderr.write('recording\n')
}

process.on('SIGUSR2', () => {
  isOn = !isOn
  if (isOn) start()
  else process.stderr.write(`${JSON.stringify({ steps })}\n`)
})
if (process.env.STEPS) recordMarks(record)
