/** For the routes of pages: form bodies in, pages out, also for what goes wrong. */
import { Elysia } from 'elysia'
import { decode, readBytes } from './body.ts'
import { CONSOLE_BODY_MB } from './reply.ts'

/** What a form sent: a text for each name, a list for a name that ends in `[]`. */
export type Form = Record<string, string | string[]>

export function readForm(text: string): Form {
  const form: Form = Object.create(null)
  const fields = new URLSearchParams(text)
  for (const name of new Set(fields.keys())) {
    if (name.endsWith('[]')) form[name.slice(0, -2)] = fields.getAll(name)
    else form[name] = fields.getAll(name).at(-1)!
  }
  return form
}

export const forms = new Elysia({ name: 'forms' }).onParse({ as: 'scoped' }, async ({ request }) =>
  readForm(decode(await readBytes(request, CONSOLE_BODY_MB))),
)
