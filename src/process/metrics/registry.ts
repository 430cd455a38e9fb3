/**
 * Every metric by its name. Each number is an increment on a series that its caller keeps: prom-client looks a series up
 * by its labels at every increment, see docs/watching.md.
 */
import type { Awaitable } from '../../pure/awaitable.ts'

/** A line of the text format. */
export interface Sample {
  /** Behind the name of the metric: `_bucket`, `_sum`, `_count`; else empty. */
  suffix: string
  /** Without the braces. */
  labels: string
  value: number
}

export interface Metric {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  labels: readonly string[]
  samples(): Awaitable<Iterable<Sample>>
}

const metrics = new Map<string, Metric>()

/** @throws Error when the name is taken */
export function register(metric: Metric) {
  if (metrics.has(metric.name)) throw new Error(`the metric ${metric.name} exists already`)
  metrics.set(metric.name, metric)
}

/** Readings of a gauge by their labels, as in `state="busy"`; empty where there are none. */
export async function readingsOf(name: string): Promise<Map<string, number>> {
  const samples = (await metrics.get(name)?.samples()) ?? []
  return new Map(Array.from(samples, ({ labels, value }) => [labels, value]))
}

export const allMetrics = (): Metric[] => [...metrics.values()].sort((one, other) => (one.name < other.name ? -1 : 1))
