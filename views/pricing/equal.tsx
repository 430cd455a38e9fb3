/** The same price in the other spelling, beside its field; <tollgate-price> follows what is typed. */
import { plain } from '../../src/pure/decimal.ts'

interface EqualProps {
  /** Spelling of the field. */
  kind: 'ratio' | 'usd'
  /** Name of the field in the other spelling. */
  of: string
  values: Partial<Record<string, string>>
}

export const Equal = ({ kind, of, values }: EqualProps) => (
  <span data-equal={of} data-sign={kind === 'usd' ? '×' : '$'}>
    {equalText(kind === 'usd' ? '×' : '$', values[of])}
  </span>
)

const DIGITS = 6

/** Without a number it keeps its line. */
export const equalText = (sign: string, text = ''): string =>
  text.trim() === '' || !Number.isFinite(Number(text))
    ? '\u00a0'
    : `= ${sign}${plain(Number(Number(text).toPrecision(DIGITS)))}`
