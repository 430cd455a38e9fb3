/** Password reset of a request: by the API and by the pages alike. */
import { parse } from '../../contracts/parse.ts'
import { PasswordReset, ResetQuery } from '../../contracts/password-reset.ts'
import { mailResetLink, resetPassword } from '../../domain/account/index.ts'
import { checkHuman } from '../../domain/human-check/index.ts'
import type { FormKey } from '../../web/idempotent-form.ts'
import { addressOf, languageFor } from '../../web/request.ts'
import type { RequestContext } from '../visit.ts'

type From = Pick<RequestContext, 'request' | 'server'>

/** @returns the address. @throws Refusal */
export async function mailLink({ request, server }: From, fields: { email?: string }, token?: string) {
  const { email } = parse(ResetQuery, { email: fields.email ?? '' })
  await checkHuman(token, addressOf(request, server))
  await mailResetLink(email, languageFor(request))
  return email
}

/** @returns the new password. @throws Refusal */
export async function reset({ request, server }: From, body: unknown, token?: string, key?: FormKey) {
  const fields = parse(PasswordReset, body)
  await checkHuman(token, addressOf(request, server))
  return resetPassword(fields.email, fields.token, key)
}
