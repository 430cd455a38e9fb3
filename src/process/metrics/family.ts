/** The series of one metric, by the values of its labels. */
import { store } from '../stores.ts'
import { labelText, OTHER } from './labels.ts'
import { type Metric, register, type Sample } from './registry.ts'

/** Series of one metric; past this number all further ones are one, whose labels are `other`. */
const SERIES_MAX = 10_000

interface Series {
  samples(): Iterable<Sample>
}

export class MetricFamily<Kept extends Series> {
  readonly #series: Map<string, Kept>

  constructor(
    private readonly metric: Omit<Metric, 'samples'>,
    private readonly make: (labels: string) => Kept,
  ) {
    this.#series = store(`metric ${metric.name}`, new Map<string, Kept>())
    register({ ...metric, samples: () => this.#samples() })
  }

  /** The series with these values, in the order of the labels. */
  of(...values: string[]): Kept {
    const key = values.join('\0')
    const known = this.#series.get(key)
    if (known) return known
    if (this.#series.size >= SERIES_MAX && values.some(value => value !== OTHER))
      return this.of(...values.map(() => OTHER))
    const made = this.make(labelText(this.metric.labels, values))
    this.#series.set(key, made)
    return made
  }

  *#samples() {
    for (const series of this.#series.values()) yield* series.samples()
  }
}
