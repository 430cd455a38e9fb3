/** Idempotent forms: a form that a double click sends twice runs once, also at two nodes. */
import { answerOfForm, type FormKey } from '../cluster/idempotency.ts'
import { Refusal } from '../contracts/refusal.ts'
import { randomToken } from '../crypto/random-id.ts'
import { digest } from '../crypto/sealing.ts'

export type { FormKey }

const FORM_ID_BYTES = 16
/** Longest time for which a form waits for its twin to end. */
const TWIN_MS = 3000
const LOOK_MS = 100
/** A solved challenge is spent before the form that it came with has run. */
const SPENT = 'human.failed'

/** A unique value for the field `form_id` of a rendered form. */
export const newFormId = () => randomToken(FORM_ID_BYTES)

/**
 * Runs the work of a form once for a user: `oncePerKey` of its transaction is given the key, and a repetition returns the
 * JSON copy of the first result. One that the first has left no room for, such as its name or its challenge, does too. A
 * failed submission can be repeated; a form without `form_id` always runs.
 */
export async function idempotent<T>(
  user_id: number,
  form: { form_id: string },
  work: (key: FormKey | undefined) => Promise<T>,
): Promise<T> {
  if (!form.form_id) return work(undefined)
  const key = { form: digest(JSON.stringify(form)) }
  try {
    return await work(key)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const answer = await answerOfTwin(user_id, key, error.code === SPENT ? TWIN_MS : 0)
    if (answer === undefined) throw error
    return JSON.parse(answer)
  }
}

async function answerOfTwin(user_id: number, key: FormKey, wait_ms: number): Promise<string | undefined> {
  for (let waited_ms = 0; ; waited_ms += LOOK_MS) {
    const answer = await answerOfForm(user_id, key)
    if (answer !== undefined || waited_ms >= wait_ms) return answer
    await Bun.sleep(LOOK_MS)
  }
}
