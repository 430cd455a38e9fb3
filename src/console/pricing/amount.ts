/** Numbers in the fields of price forms. */
import { z } from 'zod'
import type { MessageKey } from '../../locales/index.ts'

export type Form = Partial<Record<string, string>>

/** @returns undefined for an empty field that is not required */
export function amount(form: Form, name: string, required = false): number | undefined {
  const text = (form[name] ?? '').trim()
  if (text === '' && !required) return undefined
  const value = Number(text)
  if (text === '' || !Number.isFinite(value)) refuse(name, 'pricing.not_number')
  if (value < 0) refuse(name, 'pricing.negative')
  return value
}

export function refuse(field: string, message: MessageKey): never {
  throw new z.ZodError([{ code: 'custom', path: [field], message, input: undefined }])
}
