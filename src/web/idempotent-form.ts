/** Idempotent forms: a form that a double click sends twice runs once, on each node. */
import { randomToken } from '../crypto/random-id.ts'
import { digest } from '../crypto/sealing.ts'
import { now } from '../process/clock.ts'
import { store } from '../process/stores.ts'

const FORM_ID_BYTES = 16
const REPEAT_SECONDS = 30

/** A unique value for the field `form_id` of a rendered form. */
export const newFormId = () => randomToken(FORM_ID_BYTES)

const submissions = store('forms', new Map<string, { at: number; result: Promise<unknown> }>())

/**
 * Runs the work of a form, or returns the result of the same form sent by the same user within the last 30 s. A failed
 * submission can be repeated; a form without `form_id` always runs.
 */
export function idempotent<T>(user_id: number, form: { form_id: string }, work: () => Promise<T>): Promise<T> {
  if (!form.form_id) return work()
  for (const [key, { at }] of submissions) if (Math.abs(now() - at) > REPEAT_SECONDS) submissions.delete(key)
  const key = digest(JSON.stringify([user_id, form]))
  const earlier = submissions.get(key)
  if (earlier) return earlier.result as Promise<T>
  const result = work()
  submissions.set(key, { at: now(), result })
  result.catch(() => submissions.delete(key))
  return result
}
