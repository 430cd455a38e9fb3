/** Numbers that only grow. */
import { MetricFamily } from './family.ts'

export class Counter {
  #value = 0

  constructor(private readonly labels: string) {}

  add(more = 1) {
    this.#value += more
  }

  samples = () => [{ suffix: '', labels: this.labels, value: this.#value }]
}

export const counter = (name: string, help: string, labels: readonly string[]) =>
  new MetricFamily({ name, help, type: 'counter', labels }, text => new Counter(text))
