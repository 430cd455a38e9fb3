/** Distributions: how many values were at most each of some bounds. */
import { MetricFamily } from './family.ts'
import type { Sample } from './registry.ts'

/** Of what takes from a tenth of a millisecond to ten seconds. */
export const SHORT_SECONDS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10,
]
/** Of calls to models, which may take minutes. */
export const LONG_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 120, 300, 600]

export class Histogram {
  /** By the first bound that is not exceeded; the last one counts what exceeds them all. */
  readonly #counts: number[]
  #sum = 0

  constructor(
    private readonly labels: string,
    private readonly bounds: readonly number[],
  ) {
    this.#counts = Array.from({ length: bounds.length + 1 }, () => 0)
  }

  observe(value: number) {
    const { bounds } = this
    let at = 0
    while (at < bounds.length && value > bounds[at]!) at++
    this.#counts[at]!++
    this.#sum += value
  }

  *samples(): Generator<Sample> {
    let total = 0
    for (const [at, count] of this.#counts.entries()) {
      total += count
      yield { suffix: '_bucket', labels: `${this.#before}le="${this.bounds[at] ?? '+Inf'}"`, value: total }
    }
    yield { suffix: '_sum', labels: this.labels, value: this.#sum }
    yield { suffix: '_count', labels: this.labels, value: total }
  }

  get #before() {
    return this.labels && `${this.labels},`
  }
}

export const histogram = (name: string, help: string, labels: readonly string[], bounds: readonly number[]) =>
  new MetricFamily({ name, help, type: 'histogram', labels }, text => new Histogram(text, bounds))
