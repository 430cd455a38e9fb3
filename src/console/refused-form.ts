/** A refused form as its page shows it again. */
import { z } from 'zod'
import type { Language } from '../locales/languages.ts'
import { asRefusal, envelopeOf } from '../web/envelope.ts'
import { errorsOf } from '../web/forms.ts'

export interface RefusedForm {
  /** Messages by field. */
  errors: Record<string, string>
  /** The message that concerns no field. */
  problem?: string
  /** Seconds until a mail may be sent again. */
  wait?: number
  status: number
}

const INVALID = 422
const UNAVAILABLE = 503

/** @throws Refusal 503: the form is right, and the browser keeps it for another try */
export function refusedForm(error: unknown, request: Request, language: Language): RefusedForm {
  if (error instanceof z.ZodError) return { errors: errorsOf(error, language), status: INVALID }
  const refusal = asRefusal(error, request)
  if (refusal.status === UNAVAILABLE) throw refusal
  const { message } = envelopeOf(refusal, language)
  const { code, field, params } = refusal
  return {
    ...(field ? { errors: { [field]: message } } : { errors: {}, problem: message }),
    ...(code === 'registration.mail_wait' && { wait: Number(params.seconds) }),
    status: refusal.status === 200 || refusal.status === 400 ? INVALID : refusal.status,
  }
}

/** As `refusedForm`, for a page that shows every message at a field. @param field of the message that concerns none */
export function refusedAt(field: string, error: unknown, request: Request, language: Language) {
  if (error === undefined) return { status: 200 }
  const { errors, problem, status } = refusedForm(error, request, language)
  return { errors: problem === undefined ? errors : { [field]: problem }, status }
}
