/** Form bodies of page routes, and the errors shown at their fields. */
import { Elysia } from 'elysia'
import { z } from 'zod'
import { refusalOf } from '../contracts/parse.ts'
import { Refusal } from '../contracts/refusal.ts'
import type { Language } from '../locales/languages.ts'
import { readConsoleBody } from './console-body.ts'
import { refusalText } from './envelope.ts'
import { checkBody, decode, readOrDefer } from './read-body.ts'

/** Values of a submitted form: a string per name, a list for a name that ends in `[]`. */
export type FormFields = Record<string, string | string[]>

/** The fields of a form that have one value each. */
export const formFields = (body: unknown): Partial<Record<string, string>> =>
  Object.fromEntries(Object.entries(body as FormFields).filter(([, value]) => typeof value === 'string')) as Record<
    string,
    string
  >

/** A field of one line or of many; empty when it was not sent. */
export const text = z.string().default('')

function readForm(text: string): FormFields {
  if (/%00|\0/.test(text)) throw invalidText()
  return fieldsIn(new URLSearchParams(text))
}

const invalidText = () => new Refusal('error.invalid_text', {}, 400)

type Entries = Pick<URLSearchParams, 'keys' | 'getAll'>

function fieldsIn(entries: Entries): FormFields {
  const form: FormFields = Object.create(null)
  for (const name of new Set(entries.keys())) {
    if (name.endsWith('[]')) form[name.slice(0, -2)] = entries.getAll(name)
    else form[name] = entries.getAll(name).at(-1)!
  }
  return form
}

/** A form with a file: the file is its text. @throws Refusal 400 for a broken form, and for a file that is no text */
async function readUpload(bytes: Uint8Array, type: string): Promise<FormFields> {
  if (decode(bytes).includes('\0')) throw invalidText()
  const data = await new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { 'content-type': type } })
    .formData()
    .catch(() => {
      throw invalidText()
    })
  const texts = new URLSearchParams()
  for (const [name, value] of data) texts.append(name, typeof value === 'string' ? value : await value.text())
  return fieldsIn(texts)
}

async function readFields(context: Parameters<typeof readConsoleBody>[0]): Promise<FormFields> {
  const type = context.request.headers.get('content-type') ?? ''
  const bytes = await readConsoleBody(context)
  return /^multipart\/form-data/i.test(type) ? readUpload(bytes, type) : readForm(decode(bytes))
}

export const forms = new Elysia({ name: 'forms' })
  .onParse({ as: 'scoped' }, ({ request, server }) => readOrDefer(() => readFields({ request, server })))
  .onBeforeHandle({ as: 'scoped' }, ({ body }) => checkBody(body))

/** Messages by field name. @throws any error that concerns no field */
export function errorsOf(error: unknown, language: Language): Record<string, string> {
  if (error instanceof z.ZodError) {
    const refusals = error.issues.map(issue => refusalOf(new z.ZodError([issue]))).reverse()
    return Object.assign({}, ...refusals.map(refusal => errorsOf(refusal, language)))
  }
  if (!(error instanceof Refusal) || !error.field) throw error
  return { [error.field]: refusalText(error, language) }
}
