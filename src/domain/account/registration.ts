/** Registration with a password. */
import { oncePerKey, type RepeatKey } from '../../cluster/idempotency.ts'
import { foldName } from '../../contracts/account.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { EmailProof, Registration } from '../../contracts/registration.ts'
import { checkPasswordQueue, hashPassword } from '../../crypto/passwords.ts'
import { atomic } from '../../db/atomic.ts'
import { option } from '../options/index.ts'
import { checkUsernameFree } from '../users/index.ts'
import { type AttemptOrigin, countAttempt, forgetAttempts } from './attempts.ts'
import { checkEmailCode, takeEmailCode } from './email-code.ts'
import { countWork, unknownTicket } from './password-tickets.ts'
import { checkRegistrationOpen, signUp } from './sign-up.ts'

/** Visitors have no account yet. */
const NO_USER = 0

/**
 * Reads the fields of a new user. An address counts only with its code, where the site verifies addresses.
 * @throws Refusal while registration is closed; ZodError for invalid fields
 */
export function readRegistration(body: unknown) {
  checkRegistrationOpen()
  if (!option('PasswordRegisterEnabled')) throw new Refusal('registration.password_closed')
  const fields = Registration.parse(body)
  const proof = option('EmailVerificationEnabled') ? EmailProof.parse(fields) : { email: '', verification_code: '' }
  return { ...fields, ...proof }
}

/**
 * @param key of a request that may be repeated
 * @returns the new user
 * @throws Refusal for a wrong code, 429 after too many, for a name or an address of another user
 */
export async function registerUser(
  fields: ReturnType<typeof readRegistration>,
  origin: AttemptOrigin,
  key?: RepeatKey,
) {
  const { username, email, verification_code, aff_code } = fields
  if (email) {
    await countAttempt(email, origin)
    await checkEmailCode(email, verification_code)
    await forgetAttempts(email, origin)
  }
  await checkUsernameFree(username)
  const ticket = await unknownTicket(`name ${foldName(username)}`, origin)
  checkPasswordQueue(ticket)
  await countWork(origin)
  const password = await hashPassword(fields.password, ticket)
  return atomic(tx =>
    oncePerKey(tx, { user_id: NO_USER, action: 'register', key, body: fields }, function* () {
      if (email) yield* takeEmailCode(tx, email, verification_code)
      return yield* signUp(tx, { username, password, email, aff_code })
    }),
  )
}
