/** Values from outside, checked against a contract. */
import type { z } from 'zod'
import { isMessageKey } from '../locales/index.ts'
import { Refusal } from './refusal.ts'

const FIELD_SHOWN_MAX = 64

/** What a validation issue says: its own sentence where a contract gives one, else the field's name. */
export function refusalOf(error: z.ZodError): Refusal {
  const issue = error.issues[0]!
  if (issue.code === 'unrecognized_keys') {
    const field = issue.keys[0]!.slice(0, FIELD_SHOWN_MAX)
    return new Refusal('error.unknown_field', { field }, 400, field)
  }
  const field = issue.path.join('.')
  if (isMessageKey(issue.message)) return new Refusal(issue.message, {}, 400, field)
  return new Refusal('error.invalid_parameter', { field: field || 'body' }, 400, field || undefined)
}

/** Parses what a contract describes. @throws Refusal 400 that names the first bad field. */
export function parse<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const read = schema.safeParse(value)
  if (read.success) return read.data
  throw refusalOf(read.error)
}
