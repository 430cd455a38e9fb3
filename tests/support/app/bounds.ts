/** Bounds of fields, from both sides: values that a schema takes, and values that it refuses, with the message. */
import { expect } from 'bun:test'
import type { z } from 'zod'
import { parse } from '../../../src/contracts/parse.ts'
import { Refusal } from '../../../src/contracts/refusal.ts'

export const letters = (count: number) => 'a'.repeat(count)
/** Characters of two UTF-16 units each: they count once where the schema counts characters. */
export const wide = (count: number) => '𝒳'.repeat(count)
/** An address, by the length of its local part. */
export const mail = (local: number) => `${letters(local)}@example.com`
export const SAFE = Number.MAX_SAFE_INTEGER

/** By the message key of the refusal. */
type Refused = Record<string, unknown[]>

interface Body {
  schema: z.ZodType
  /** A body that is taken. */
  valid: Record<string, unknown>
  rows: [field: string, taken: unknown[], refused: Refused][]
}

export type Bodies = Record<string, Body>

interface Bounds {
  name: string
  field: string
  schema: z.ZodType
  valid: Record<string, unknown>
  taken: unknown[]
  refused: Refused
}

export const boundsOf = (bodies: Bodies): Bounds[] =>
  Object.entries(bodies).flatMap(([name, { schema, valid, rows }]) =>
    rows.map(([field, taken, refused]) => ({ name, field, schema, valid, taken, refused })),
  )

export function expectBounds({ field, schema, valid, taken, refused }: Bounds) {
  const outcomes = (values: unknown[]) =>
    values.map(value => [shortened(value), outcomeOf(schema, { ...valid, [field]: value })])
  expect(outcomes(taken)).toEqual(taken.map(value => [shortened(value), 'taken']))
  for (const [code, values] of Object.entries(refused))
    expect(outcomes(values)).toEqual(values.map(value => [shortened(value), `400 ${code} at ${field}`]))
}

function outcomeOf(schema: z.ZodType, body: unknown): string {
  try {
    parse(schema, body)
    return 'taken'
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return `${error.status} ${error.code} at ${error.field}`
  }
}

/** What a failure shows of a value. */
const shortened = (value: unknown) => String(value).slice(0, 40)
