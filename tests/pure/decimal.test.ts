// @engine sqlite
import { describe, expect, test } from 'bun:test'
import { usdOf } from '../../src/billing/usd.ts'
import { decimal, decimalIn, plus, roundedQuotient, textOf, times } from '../../src/pure/decimal.ts'
import { seededRandom } from '../support/random.ts'

const random = seededRandom(21)
const ROUNDS = 5000

/** Of any size from one digit to twenty, so that about a third of all products leave the exact numbers. */
const anyWhole = () => {
  let value = BigInt(random(10))
  for (let left = random(20); left > 0; left--) value = value * 10n + BigInt(random(10))
  return random(2) ? value : -value
}

const exact = (value: bigint) => (Number.isSafeInteger(Number(value)) ? Number(value) : value)

describe('whole numbers in two representations', () => {
  const pairs = Array.from({ length: ROUNDS }, () => [anyWhole(), anyWhole()] as const)

  test('a product and a sum are those of whole numbers of any size', () => {
    for (const [a, b] of pairs) {
      expect(BigInt(times(exact(a), exact(b)))).toBe(a * b)
      expect(BigInt(plus(exact(a), exact(b)))).toBe(a + b)
    }
  })

  test('a quotient is the nearest whole number, and halves round away from zero', () => {
    for (const [a, b] of pairs) {
      const by = b < 0n ? -b : b || 1n
      const [scale, by_scale] = [random(12), random(12)]
      const quotient = roundedQuotient({ digits: exact(a), scale }, { digits: exact(by), scale: by_scale })
      const [dividend, divisor] = [a * 10n ** BigInt(by_scale), by * 10n ** BigInt(scale)]
      const size = (2n * (dividend < 0n ? -dividend : dividend) + divisor) / (2n * divisor)
      expect(BigInt(quotient)).toBe(dividend < 0n ? -size : size)
    }
  })

  test('exact halves round away from zero on both sides', () => {
    for (let whole = 0; whole < 1000; whole++) {
      expect(roundedQuotient({ digits: 2 * whole + 1, scale: 0 }, decimal(2))).toBe(whole + 1)
      expect(roundedQuotient({ digits: -2 * whole - 1, scale: 0 }, decimal(2))).toBe(-whole - 1)
    }
  })
})

test('a text of any length is read exactly', () => {
  for (let round = 0; round < ROUNDS; round++) {
    const text = textOf({ digits: anyWhole(), scale: random(12) })
    expect(textOf(decimalIn(text))).toBe(text)
  }
})

test('quota in USD is exact for a round unit, and the nearest of twelve decimals for others', () => {
  for (let round = 0; round < ROUNDS; round++) {
    const quota = random(9) * 10 ** random(16) + random(1000)
    const unit = [1, 3, 7, 500_000, 1_000_000, 1234][random(6)]!
    const shares = (2n * BigInt(quota) * 10n ** 12n + BigInt(unit)) / (2n * BigInt(unit))
    const [whole, fraction = ''] = usdOf(quota, unit).split('.')
    expect(BigInt(whole + fraction.padEnd(12, '0'))).toBe(shares)
  }
})
