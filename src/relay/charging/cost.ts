/** What a call cost, told to its caller in USD: in a header, and beside the counts of its usage. */

import { usdOf } from '../../billing/usd.ts'
import { option } from '../../domain/options/index.ts'
import type { BillableCall } from '../call.ts'

export const COST_HEADER = 'x-tollgate-cost'

/** In plain digits; undefined where the operator keeps it to himself. */
export const costOf = ({ price }: BillableCall, quota: number): string | undefined =>
  option('CostInAnswersEnabled') ? usdOf(quota, price.quota_per_unit) : undefined

export const costHeader = (cost: string | undefined): Record<string, string> =>
  cost === undefined ? {} : { [COST_HEADER]: cost }

/**
 * An answer, or an event of one, with the cost in its usage: every other byte stays as it was. A cost that is there
 * already is the upstream's, and nobody's business.
 */
export function withCost(bytes: Buffer<ArrayBuffer>, cost: string | undefined): Buffer<ArrayBuffer> {
  const usage = cost !== undefined && usageIn(bytes)
  if (!usage) return bytes
  const { start, end } = usage
  const counts = bytes.toString('latin1', start, end).replace(theirs, '')
  const told = `${counts}${counts.trim() && ','}"cost":${cost}`
  return Buffer.concat([bytes.subarray(0, start), Buffer.from(told, 'latin1'), bytes.subarray(end)])
}

const theirs = /"cost"\s*:\s*(?:[-+.\deE]+|null)\s*,|(?:,\s*)?"cost"\s*:\s*(?:[-+.\deE]+|null)/

const NAME = '"usage'
/** A field that holds an object: `usage`, or Gemini's `usageMetadata`. */
const field = /^"usage(?:Metadata)?"\s*:\s*\{/
const FIELD_MAX = 64
/** Each is followed to the end of the answer: what has a thousand of them is made to keep us busy. */
const LOOKED_INTO_MAX = 16
/** The events of OpenAI's Responses have the answer, and its usage, one level deeper. */
const wrapped = '"type":"response.'

/** The inside of the usage that belongs to the whole answer: it is near the end, so it is looked for from there. */
function usageIn(bytes: Buffer): { start: number; end: number } | undefined {
  const depth = bytes.includes(wrapped) ? 2 : 1
  let looked_into = 0
  for (let at = bytes.lastIndexOf(NAME); at >= 0; at = at > 0 ? bytes.lastIndexOf(NAME, at - 1) : -1) {
    const found = field.exec(bytes.toString('latin1', at, at + FIELD_MAX))
    if (!found) continue
    if (++looked_into > LOOKED_INTO_MAX) return undefined
    const start = at + found[0].length
    const { end, left } = closings(bytes, start)
    if (left === depth) return { start, end }
  }
}

const [QUOTE, BACKSLASH, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = Buffer.from('"\\{}[]')

/** Where the object that begins before `from` ends, and how many that it is in end after it. */
function closings(bytes: Buffer, from: number): { end: number; left: number } {
  let [end, left] = [-1, 0]
  for (let at = from, depth = 1; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfString(bytes, at + 1)
    else if (byte === OPEN || byte === OPEN_LIST) depth++
    else if (byte === CLOSE || byte === CLOSE_LIST) {
      depth--
      if (depth === 0 && end < 0) end = at
      left = -depth
    }
  }
  return { end, left }
}

function endOfString(bytes: Buffer, from: number): number {
  let at = from
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at
}
