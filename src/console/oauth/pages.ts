/** Routes of the way to a login provider and back, and of unbinding. */
import { Elysia } from 'elysia'
import type { SessionUser } from '../../contracts/account.ts'
import { ByBinding, ByCodeProvider, type CodeProviderName } from '../../contracts/oauth.ts'
import { notFound } from '../../contracts/refusal.ts'
import { unbind } from '../../domain/oauth/index.ts'
import { translate } from '../../locales/index.ts'
import { forms } from '../../web/forms.ts'
import { checkLimit } from '../../web/ip-rate-limit.ts'
import { checkOrigin } from '../../web/origin.ts'
import { guard } from '../guard.ts'
import { invitationOf } from '../invitation-cookie.ts'
import { redirectTo } from '../page.tsx'
import { emailPages } from './email.tsx'
import { arrive, identityOf, resumeFlow, startFlow } from './flow.ts'
import { contextOf, type OAuthPage, pathAfter, redirectBack, redirectOn } from './oauth-page.ts'
import { telegramPages } from './telegram.tsx'
import { wechatPages } from './wechat.tsx'

export const oauthPages = new Elysia()
  .use(guard)
  .use(forms)
  .get('/oauth/:provider/start', start, { page: 'anyone', confirmed: 'optional', params: ByCodeProvider })
  .get('/oauth/:provider', finish, { page: 'anyone', params: ByCodeProvider })
  .post('/oauth/:provider/unbind', remove, { userPage: 'signedIn', confirmed: true })
  .use(emailPages)
  .use(telegramPages)
  .use(wechatPages)

type ProviderRequest = OAuthPage & { params: { provider: CodeProviderName } }

async function start(page: ProviderRequest): Promise<Response> {
  const { request, server, visit, query, params } = page
  const return_to = pathAfter(visit, query.returnTo)
  try {
    await checkLimit('critical', request, server, 'oauth-state')
    // Another site must not send a user to bind; it may send a visitor to sign in.
    if (visit.caller) checkOrigin(request)
    const { url, cookie } = await startFlow(contextOf(page), params.provider, {
      return_to,
      aff_code: invitationOf(request),
    })
    return redirectTo(url, undefined, { 'set-cookie': cookie })
  } catch (error) {
    return redirectBack(page, error, return_to)
  }
}

/** The callback. It comes from the provider's site: the state is the proof that this browser began it. */
async function finish(page: ProviderRequest): Promise<Response> {
  const { request, server, visit, params } = page
  const context = contextOf(page)
  let path = pathAfter(visit, undefined)
  try {
    await checkLimit('critical', request, server, 'oauth')
    const state = await resumeFlow(context, params.provider)
    path = pathAfter(visit, state.return_to)
    const identity = await identityOf(context, params.provider, state)
    return redirectOn(page, await arrive(context, identity, state.aff_code), path)
  } catch (error) {
    return redirectBack(page, error, path)
  }
}

type Removal = OAuthPage & { caller: SessionUser; params: { provider: string } }

async function remove(page: Removal): Promise<Response> {
  const { visit, caller, body } = page
  const named = ByBinding.safeParse(page.params)
  if (!named.success) throw notFound()
  const path = pathAfter(visit, Object(body).returnTo)
  try {
    await unbind(caller.id, named.data.provider)
    return redirectTo(path, { kind: 'success', text: translate(visit.language, 'oauth.unbound_done') })
  } catch (error) {
    return redirectBack(page, error, path)
  }
}
