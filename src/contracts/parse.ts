/** Validation of bodies against a contract. */
import type { z } from 'zod'
import { isMessageKey } from '../locales/index.ts'
import { Refusal } from './refusal.ts'

/** Characters of an unknown field's name in its error. */
const FIELD_SHOWN_MAX = 64

/** The first issue as a Refusal: with the message key that the contract gives, else with the field's name. Status 400. */
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

/** @throws Refusal 400 that names the first invalid field. */
export function parse<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw refusalOf(result.error)
}
