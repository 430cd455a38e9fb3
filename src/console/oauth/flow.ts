/** Sign-in and binding by a login provider, as the API and the pages share them. */
import { Role, type SessionUser } from '../../contracts/account.ts'
import type { CodeProviderName, LoginProviderName } from '../../contracts/oauth.ts'
import { Refusal } from '../../contracts/refusal.ts'
import {
  authorizationUrl,
  bind,
  boundOrNewUser,
  checkProviderEnabled,
  codeProvider,
  type FlowSecrets,
  identityByCode,
  issueState,
  type LoginIdentity,
  newSecrets,
  takeState,
} from '../../domain/oauth/index.ts'
import { option } from '../../domain/options/index.ts'
import { siteOf } from '../../web/request.ts'
import { completeSignIn, type SignInOutcome } from '../sign-in.ts'
import type { RequestContext } from '../visit.ts'
import { browserOf, keepBrowser } from './browser.ts'

export type FlowContext = Pick<RequestContext, 'request' | 'server'> & { caller: SessionUser | undefined }

/** A binding has no `signedIn`. */
export interface Outcome {
  signedIn?: SignInOutcome
  is_new: boolean
}

interface Start {
  /** Local path to go to afterwards. */
  return_to: string
  aff_code: string
}

/** @returns the provider's page and the cookie to set. @throws Refusal when the provider is off, or its discovery fails */
export async function startFlow(context: FlowContext, name: CodeProviderName, start: Start) {
  const provider = codeProvider(name)
  const { browser, cookie } = keepBrowser(context)
  const secrets = newSecrets(provider)
  const user_id = context.caller?.id ?? 0
  const state = await issueState(browser, name, { user_id, ...start, ...secrets })
  return { url: await authorizationUrl(provider, redirectUri(context, name), { state, ...secrets }), cookie }
}

/** Uses up the state of a provider's redirect, before anything is sent to the provider. @throws Refusal `oauth.not_enabled`, 403 `oauth.state_invalid` */
export async function resumeFlow(context: FlowContext, name: Exclude<LoginProviderName, 'wechat'>) {
  checkProviderEnabled(name)
  const state = new URL(context.request.url).searchParams.get('state') ?? ''
  return takeState(browserOf(context), name, state, context.caller?.id ?? 0)
}

/** The identity that a provider's redirect brings. @throws Refusal */
export async function identityOf(
  context: FlowContext,
  name: CodeProviderName,
  secrets: FlowSecrets,
): Promise<LoginIdentity> {
  const { searchParams } = new URL(context.request.url)
  const provider = codeProvider(name)
  const error = searchParams.get('error')
  if (error) throw new Refusal(error === 'access_denied' ? 'oauth.cancelled' : 'oauth.refused')
  const code = searchParams.get('code')
  if (!code) throw new Refusal('oauth.refused')
  const callback = { code, iss: searchParams.get('iss') ?? undefined }
  return identityByCode(provider, redirectUri(context, name), callback, secrets)
}

/** Registered with the provider, and the same in both steps. */
const redirectUri = ({ request, server }: FlowContext, name: CodeProviderName) =>
  `${option('ServerAddress') || siteOf(request, server)}/oauth/${name}`

/** Binds the identity to the signed-in user; for a visitor signs its user in, or a new one. */
export async function arrive(context: FlowContext, identity: LoginIdentity, aff_code: string): Promise<Outcome> {
  const { caller } = context
  if (caller) {
    checkMayBind(caller)
    await bind(caller.id, identity)
    return { is_new: false }
  }
  const { user, is_new } = await boundOrNewUser(identity, aff_code)
  return { signedIn: await completeSignIn(user, context), is_new }
}

/** Some bindings arrive by GET, which the guard takes for reading. @throws Refusal 405 on a demo site */
export function checkMayBind({ role }: SessionUser) {
  if (option('DemoSiteEnabled') && role < Role.root) throw new Refusal('error.demo_only', {}, 405)
}
