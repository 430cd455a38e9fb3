/** Exact decimal arithmetic: 0.1 is one tenth. */

/** A whole number: a `number` where that is exact, which costs a tenth of a `bigint`; else a `bigint`. */
export type Whole = number | bigint

/** `digits` × 10^−`scale`. */
export interface Decimal {
  readonly digits: Whole
  readonly scale: number
}

export const one: Decimal = { digits: 1, scale: 0 }

export const times = (a: Whole, b: Whole): Whole => {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b
    if (Number.isSafeInteger(product)) return product
  }
  return BigInt(a) * BigInt(b)
}

export const plus = (a: Whole, b: Whole): Whole => {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b
    if (Number.isSafeInteger(sum)) return sum
  }
  return BigInt(a) + BigInt(b)
}

/** The largest power of ten that is exact. */
const POWER_MAX = 15

const powerOfTen = (exponent: number): Whole => (exponent <= POWER_MAX ? 10 ** exponent : 10n ** BigInt(exponent))

/** The exact value of a finite number's shortest decimal text. */
export function decimal(value: number): Decimal {
  const [mantissa = '', exponent = '0'] = String(value).split('e')
  const { digits, scale: places } = decimalIn(mantissa)
  const scale = places - Number(exponent)
  return scale < 0 ? { digits: times(digits, powerOfTen(-scale)), scale: 0 } : { digits, scale }
}

/** The exact value of plain text, as `textOf` writes it. */
export function decimalIn(plain: string): Decimal {
  const [whole = '', fraction = ''] = plain.split('.')
  const text = whole + fraction
  return { digits: text.length <= POWER_MAX ? Number(text) : BigInt(text), scale: fraction.length }
}

/** The product, without trailing zeros. */
export function product(...factors: Decimal[]): Decimal {
  const { digits, scale } = factors.reduce(
    (a, b) => ({ digits: times(a.digits, b.digits), scale: a.scale + b.scale }),
    one,
  )
  let [left, places] = [BigInt(digits), scale]
  while (places > 0 && left % 10n === 0n) {
    left /= 10n
    places--
  }
  return { digits: smallest(left), scale: places }
}

/** As a `number` where that is exact. */
const smallest = (value: bigint): Whole => (Number.isSafeInteger(Number(value)) ? Number(value) : value)

export function sum(terms: readonly Decimal[]): Decimal {
  if (terms.length === 1) return terms[0]!
  const scale = Math.max(0, ...terms.map(term => term.scale))
  return { digits: terms.reduce<Whole>((total, term) => plus(total, digitsAt(term, scale)), 0), scale }
}

/** The digits at a scale. @param to not smaller than the decimal's own scale */
export const digitsAt = ({ digits, scale }: Decimal, to: number): Whole => times(digits, powerOfTen(to - scale))

/** Plain text: no exponent, no trailing zeros. */
export function textOf({ digits, scale }: Decimal): string {
  if (scale === 0) return String(digits)
  const text = String(digits < 0 ? -digits : digits).padStart(scale + 1, '0')
  let end = text.length
  while (text.charCodeAt(end - 1) === 48 && end > text.length - scale) end--
  const point = text.length - scale
  return `${digits < 0 ? '-' : ''}${text.slice(0, point)}${end > point ? `.${text.slice(point, end)}` : ''}`
}

/** The nearest whole number; halves round away from zero. */
export const rounded = (value: Decimal): Whole => roundedQuotient(value, one)

/** The smallest whole number that is not less. @param value 0 or greater */
export function roundedUp({ digits, scale }: Decimal): Whole {
  const by = BigInt(powerOfTen(scale))
  return smallest((BigInt(digits) + by - 1n) / by)
}

/** The whole number nearest to a quotient; halves round away from zero. @param by greater than 0 */
export function roundedQuotient(value: Decimal, by: Decimal): Whole {
  const dividend = times(value.digits, powerOfTen(by.scale))
  const divisor = times(by.digits, powerOfTen(value.scale))
  if (typeof dividend === 'number' && typeof divisor === 'number') return nearestQuotient(dividend, divisor)
  const [whole, by_whole] = [BigInt(dividend), BigInt(divisor)]
  const half = whole < 0n ? -by_whole : by_whole
  return smallest((2n * whole + half) / (2n * by_whole))
}

/** The remainder of whole numbers is exact, and without it the quotient is. */
function nearestQuotient(dividend: number, divisor: number): number {
  const size = Math.abs(dividend)
  const remainder = size % divisor
  const quotient = (size - remainder) / divisor + (remainder >= divisor - remainder ? 1 : 0)
  return dividend < 0 ? -quotient : quotient
}

/** Decimal text without an exponent: 0.0000001 instead of 1e-7. */
export const plain = (value: number): string => textOf(decimal(value))

export const numberOf = (value: Decimal): number => Number(textOf(value))
