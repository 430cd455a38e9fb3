/** JSON API of sign-in and binding by login providers. */
import { Elysia } from 'elysia'
import {
  ByBinding,
  ByCodeProvider,
  EmailBinding,
  StateQuery,
  TelegramFields,
  WeChatCode,
} from '../../contracts/oauth.ts'
import { parse } from '../../contracts/parse.ts'
import { Refusal } from '../../contracts/refusal.ts'
import type { Session } from '../../domain/account/index.ts'
import {
  bind,
  bindEmail,
  boundUser,
  checkProviderEnabled,
  identityByTelegram,
  identityByWeChatCode,
  issueState,
  unbind,
} from '../../domain/oauth/index.ts'
import { envelope, ok } from '../../web/envelope.ts'
import { criticalLimit } from '../../web/ip-rate-limit.ts'
import { checkOrigin } from '../../web/origin.ts'
import { guard } from '../guard.ts'
import { clearedInvitation, invitationOf } from '../invitation-cookie.ts'
import { completeSignIn, signInResponse } from '../sign-in.ts'
import { keepBrowser } from './browser.ts'
import { arrive, checkMayBind, type FlowContext, identityOf, type Outcome, resumeFlow } from './flow.ts'

/** The message of a binding; a sign-in has none. */
const BIND = 'bind'

export const oauthApi = new Elysia()
  .use(envelope)
  .use(guard)
  .use(criticalLimit)
  .get('/api/oauth/state', state, { anyone: true, confirmed: 'optional', critical: 'oauth-state' })
  .get('/api/oauth/:provider', callback, { anyone: true, critical: 'oauth', params: ByCodeProvider })
  .get('/api/oauth/wechat', wechat, { anyone: true, critical: 'oauth' })
  .get('/api/oauth/wechat/bind', bindWeChat, { signedIn: true, confirmed: true, critical: 'oauth' })
  .get('/api/oauth/email/bind', bindAddress, { signedIn: true, confirmed: true, critical: 'oauth' })
  .get('/api/oauth/telegram/login', telegram, { anyone: true, critical: 'oauth' })
  .get('/api/oauth/telegram/bind', bindTelegram, { signedIn: true, confirmed: true, critical: 'oauth' })
  .delete('/api/oauth/:provider', remove, { signedIn: true, confirmed: true, params: ByBinding })

type Headers = { headers: Record<string, unknown> }
type ApiRequest = FlowContext & { query: unknown; set: Headers }
type OwnRequest = ApiRequest & { caller: NonNullable<FlowContext['caller']>; session?: Session }

async function state(context: ApiRequest) {
  const { provider, aff } = parse(StateQuery, context.query)
  const { browser, cookie } = keepBrowser(context)
  context.set.headers['set-cookie'] = cookie
  const aff_code = aff ?? invitationOf(context.request)
  return ok(await issueState(browser, provider, { user_id: context.caller?.id ?? 0, aff_code }))
}

async function callback(context: ApiRequest & { params: { provider: 'github' | 'oidc' | 'linuxdo' } }) {
  checkOrigin(context.request)
  const { provider } = context.params
  const state = await resumeFlow(context, provider)
  const identity = await identityOf(context, provider, state)
  return respond(await arrive(context, identity, state.aff_code), context.request)
}

async function wechat(context: ApiRequest) {
  checkSender(context.request)
  checkProviderEnabled('wechat')
  const identity = await identityByWeChatCode(parse(WeChatCode, context.query).code)
  const visitor = { ...context, caller: undefined }
  return respond(await arrive(visitor, identity, invitationOf(context.request)), context.request)
}

async function bindWeChat({ caller, query }: OwnRequest) {
  checkMayBind(caller)
  checkProviderEnabled('wechat')
  await bind(caller.id, await identityByWeChatCode(parse(WeChatCode, query).code))
  return ok(null, BIND)
}

async function bindAddress({ caller, session, query }: OwnRequest) {
  checkMayBind(caller)
  await bindEmail(caller.id, parse(EmailBinding, query), session)
  return ok(null, BIND)
}

async function telegram(context: ApiRequest) {
  checkSender(context.request)
  checkProviderEnabled('telegram')
  const user = await boundUser(await identityByTelegram(parse(TelegramFields, context.query)))
  return respond({ signedIn: await completeSignIn(user, context), is_new: false }, context.request)
}

async function bindTelegram({ caller, query }: OwnRequest) {
  checkMayBind(caller)
  checkProviderEnabled('telegram')
  await bind(caller.id, await identityByTelegram(parse(TelegramFields, query)))
  return ok(null, BIND)
}

async function remove({
  caller,
  params,
}: OwnRequest & { params: { provider: (typeof ByBinding)['_output']['provider'] } }) {
  await unbind(caller.id, params.provider)
  return ok(null)
}

async function respond({ signedIn, is_new }: Outcome, request: Request) {
  if (!signedIn) return ok(null, BIND)
  const response = await signInResponse(signedIn, request)
  if (is_new) response.headers.append('set-cookie', clearedInvitation)
  return response
}

/**
 * A sign-in without a state is sent by our own page, or by no browser: a link in a mail would sign its reader in as the
 * writer. @throws Refusal 403
 */
function checkSender(request: Request) {
  checkOrigin(request)
  if (request.headers.get('sec-fetch-mode') === 'navigate') throw new Refusal('error.csrf', {}, 403)
}
