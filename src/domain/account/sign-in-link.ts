/**
 * Links that make a browser known to one account, so that guesses of strangers delay no sign-in there. They open no
 * session: the password is asked for as always.
 */
import { issueSecret, readSecret, storeSecret } from '../../cluster/one-time.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { MAIL_SECRET_MINUTES } from '../../contracts/registration.ts'
import { SIGN_IN_LINK_PATH } from '../../contracts/security-paths.ts'
import { randomToken } from '../../crypto/random-id.ts'
import { digest } from '../../crypto/sealing.ts'
import { atomic } from '../../db/atomic.ts'
import type { Language } from '../../locales/languages.ts'
import { isMailConfigured, queueMail } from '../mail/index.ts'
import { option } from '../options/index.ts'
import { anyUser, isEnabled, type User, userByLogin } from '../users/index.ts'

const TOKEN_BYTES = 32
const SECONDS = MAIL_SECRET_MINUTES * 60

/** The sender of a link that a command prints; of others it is the address, with which they end. */
const COMMAND = 'command'

const keyOf = (user_id: number, sender: string) => ({ purpose: 'browser', subject: `${user_id} ${sender}` }) as const

const linkOf = (site: string, user_id: number, token: string) =>
  `${site}${SIGN_IN_LINK_PATH}?${new URLSearchParams({ user: String(user_id), token })}`

/** Never the Host header of a request, which its sender chooses. */
export const canMailBrowserLinks = () => isMailConfigured() && option('ServerAddress') !== ''

/**
 * Mails a link to the user of this name or address, as far as there is one: the caller does not learn it. As long as the
 * last link is good, no other is sent: requests of strangers neither end it nor fill the inbox.
 */
export async function mailBrowserLink(login: string, language: Language) {
  if (!canMailBrowserLinks()) throw new Refusal('mail.not_configured')
  const user = await userByLogin(login)
  if (!user?.email || !isEnabled(user)) return
  const { id, email: to } = user
  const secret = randomToken(TOKEN_BYTES)
  await atomic(function* (tx) {
    const wait = yield* storeSecret(tx, { ...keyOf(id, to), secret, seconds: SECONDS, spacing_seconds: SECONDS })
    const params = { link: linkOf(option('ServerAddress'), id, secret), minutes: MAIL_SECRET_MINUTES }
    if (!wait) yield* queueMail(tx, { to, kind: 'browser', params, language })
  })
}

/** A link for an operator at the machine. @param site where it leads to */
export async function browserLinkFor({ id }: Pick<User, 'id'>, site: string): Promise<string> {
  const secret = randomToken(TOKEN_BYTES)
  await issueSecret({ ...keyOf(id, COMMAND), secret, seconds: SECONDS })
  return linkOf(site, id, secret)
}

/**
 * The user and the browser of a link, which stays usable: scanners of mails open it first. All its browsers have one id,
 * and so one count of failed attempts.
 * @returns undefined when it is not good, or no longer
 */
export async function browserOfLink(
  user_id: number,
  token: string,
): Promise<{ user: User; device: string } | undefined> {
  const user = await anyUser(user_id)
  if (!user || user.deleted_time !== null || !isEnabled(user)) return undefined
  for (const sender of [user.email, COMMAND]) {
    if (sender && (await readSecret(keyOf(user_id, sender), token)) !== undefined)
      return { user, device: digest(token).slice(0, TOKEN_BYTES) }
  }
}
