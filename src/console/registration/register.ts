/** Registration of a request: by the API and by the page alike. */
import { z } from 'zod'
import { EmailAddress } from '../../contracts/mail.ts'
import { parse } from '../../contracts/parse.ts'
import { checkRegistrationOpen, mailEmailCode, readRegistration, registerUser } from '../../domain/account/index.ts'
import { checkHuman } from '../../domain/human-check/index.ts'
import type { FormKey } from '../../web/idempotent-form.ts'
import { addressOf, languageFor } from '../../web/request.ts'
import { invitationOf } from '../invitation-cookie.ts'
import { originOf } from '../known-browser.ts'
import type { RequestContext } from '../visit.ts'

type From = Pick<RequestContext, 'request' | 'server'>

const Recipient = z.object({ email: EmailAddress })

/** Mails a code to an address, for a visitor who registers or a user who binds it. @returns the address. @throws Refusal */
export async function mailCode({ request, server }: From, fields: { email?: string }, token?: string, isUser = false) {
  if (!isUser) checkRegistrationOpen()
  const { email } = parse(Recipient, { email: fields.email ?? '' })
  await checkHuman(token, addressOf(request, server))
  await mailEmailCode(email, languageFor(request))
  return email
}

/** Without an `aff_code` the invitation that the visitor came with counts. @throws Refusal or ZodError */
export async function register({ request, server }: From, body: unknown, token?: string, key?: FormKey) {
  const fields = readRegistration(body)
  await checkHuman(token, addressOf(request, server))
  const invited = { ...fields, aff_code: fields.aff_code || invitationOf(request) }
  return registerUser(invited, originOf({ request, server }), key)
}
