/** Labels as they stand in the text format, and bounds for values that come from outside. */
import { store } from '../stores.ts'

/** Stands for every value past a bound. */
export const OTHER = 'other'

/** `a="b",c="d"`, without the braces. */
export const labelText = (names: readonly string[], values: readonly string[]): string =>
  names.map((name, at) => `${name}="${escaped(values[at]!)}"`).join(',')

/** https://prometheus.io/docs/instrumenting/exposition_formats/ (read 2026-11) */
const escaped = (value: string) =>
  /[\\"\n]/.test(value) ? value.replace(/[\\"\n]/g, sign => (sign === '\n' ? '\\n' : `\\${sign}`)) : value

/** The first values of a label that are seen, and `other` for the rest. */
export class BoundedLabel {
  readonly #known: Set<string>

  constructor(
    name: string,
    private readonly max: number,
  ) {
    this.#known = store(`label ${name}`, new Set<string>())
  }

  of(value: string): string {
    if (this.#known.has(value)) return value
    if (this.#known.size >= this.max) return OTHER
    this.#known.add(value)
    return value
  }
}
