/** The link that makes a browser known: asked for on the sign-in page, and opened from a mail or a terminal. */
import { Elysia } from 'elysia'
import { z } from 'zod'
import { parse } from '../../contracts/parse.ts'
import { SIGN_IN_LINK_PATH } from '../../contracts/security-paths.ts'
import { browserOfLink, mailBrowserLink } from '../../domain/account/index.ts'
import { checkHuman } from '../../domain/human-check/index.ts'
import { translate } from '../../locales/index.ts'
import { checkLimit } from '../../web/ip-rate-limit.ts'
import { addressOf, languageFor } from '../../web/request.ts'
import { guard } from '../guard.ts'
import { knownBrowserCookie } from '../known-browser.ts'
import { redirectTo } from '../page.tsx'
import type { RequestContext } from '../visit.ts'

const LinkQuery = z.object({ user: z.coerce.number().pipe(z.int()).catch(0), token: z.string().catch('') })

export const signInLinkPages = new Elysia().use(guard).get(
  SIGN_IN_LINK_PATH,
  async ({ request, server, visit, query }) => {
    const { user: user_id, token } = LinkQuery.parse(query)
    await checkLimit('critical', request, server, 'sign-in-link')
    const found = await browserOfLink(user_id, token)
    const t = (key: 'login.link_used' | 'login.link_invalid') => translate(visit.language, key)
    if (!found) return redirectTo('/login', { kind: 'error', text: t('login.link_invalid') })
    const { user, device } = found
    const headers = {
      'set-cookie': knownBrowserCookie({ request, server }, user, device),
      'referrer-policy': 'no-referrer',
    }
    const next = `/login?${new URLSearchParams({ username: user.username })}`
    return redirectTo(next, { kind: 'success', text: t('login.link_used') }, headers)
  },
  { page: 'anonymous' },
)

const LinkRequest = z.object({ username: z.string().trim().min(1, 'account.login_required') })

/** @throws Refusal; the answer is the same whether there is such a user or not */
export async function mailSignInLink(
  { request, server }: Pick<RequestContext, 'request' | 'server'>,
  fields: unknown,
  token?: string,
) {
  await checkLimit('critical', request, server, 'sign-in-link')
  const { username } = parse(LinkRequest, fields)
  await checkHuman(token, addressOf(request, server))
  await mailBrowserLink(username, languageFor(request))
}
