/** Codes that prove an e-mail address: mailed at registration and when an address is bound. */
import { eq } from 'drizzle-orm'
import { checkSecret, takeSecret } from '../../cluster/one-time.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { CODE_LENGTH } from '../../contracts/registration.ts'
import { randomDigits } from '../../crypto/random-id.ts'
import { db, type Tx } from '../../db/database.ts'
import type { Language } from '../../locales/languages.ts'
import { option } from '../options/index.ts'
import { users } from '../users/table.ts'
import { mailSecret } from './mail-secret.ts'

/** More than one origin has, so that none alone can end the code of another's address; too few to guess six digits. */
const TRIES_MAX = 50

const keyOf = (email: string) => ({ purpose: 'email', subject: email }) as const

/** @param email in lower case. @throws Refusal for an address that the site does not take, or that a user has */
export async function mailEmailCode(email: string, language: Language) {
  checkRules(email)
  const [owner] = await db.select({ id: users.id }).from(users).where(eq(users.email, email))
  if (owner) throw new Refusal('account.email_taken', {}, 200, 'email')
  const code = randomDigits(CODE_LENGTH)
  await mailSecret(keyOf(email), code, { to: email, kind: 'code', params: { code }, language })
}

/** @throws Refusal when the operator does not allow the domain, or aliases in the name */
function checkRules(email: string) {
  const at = email.lastIndexOf('@')
  const [name, domain] = [email.slice(0, at), email.slice(at + 1)]
  if (option('EmailDomainRestrictionEnabled') && !option('EmailDomainWhitelist').includes(domain))
    throw new Refusal('registration.email_domain', {}, 200, 'email')
  if (option('EmailAliasRestrictionEnabled') && /[+.]/.test(name))
    throw new Refusal('registration.email_alias', {}, 200, 'email')
}

/** Checks a code, which stays usable until `takeEmailCode`; the caller counts the attempt. @throws Refusal at `verification_code` */
export async function checkEmailCode(email: string, code: string) {
  if (!(await checkSecret(keyOf(email), code, TRIES_MAX))) throw wrongCode()
}

/** Uses a code up, in the transaction that stores its address. @throws Refusal at `verification_code` */
export function* takeEmailCode(tx: Tx, email: string, code: string) {
  if ((yield* takeSecret(tx, keyOf(email), code)) === undefined) throw wrongCode()
}

const wrongCode = () => new Refusal('registration.code_wrong', {}, 200, 'verification_code')
