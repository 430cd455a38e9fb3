/** Numbers that are read when they are asked for, and cost nothing until then. */
import { type Awaitable, chain } from '../../pure/awaitable.ts'
import { labelText } from './labels.ts'
import { type Metric, register } from './registry.ts'

/** @param read undefined where the number is not known: then the metric is left out */
export function gauge(
  name: string,
  help: string,
  read: () => Awaitable<number | undefined>,
  type: Metric['type'] = 'gauge',
) {
  const sampled = (value: number | undefined) => (value === undefined ? [] : [{ suffix: '', labels: '', value }])
  register({ name, help, type, labels: [], samples: () => chain(read(), sampled) })
}

/** The values of the labels, and the number. */
export type Reading = readonly [values: readonly string[], value: number]

export function gauges(
  name: string,
  help: string,
  labels: readonly string[],
  read: () => Awaitable<readonly Reading[]>,
) {
  const sampled = (readings: readonly Reading[]) =>
    readings.map(([values, value]) => ({ suffix: '', labels: labelText(labels, values), value }))
  register({ name, help, type: 'gauge', labels, samples: () => chain(read(), sampled) })
}
