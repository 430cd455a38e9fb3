/** Where a page of a login provider leads: on with a session or a binding, or back with the reason. */
import { ME_PATH } from '../../contracts/profile.ts'
import { LANDING_PATH } from '../../contracts/security-paths.ts'
import type { Visit } from '../../contracts/visit.ts'
import { translate } from '../../locales/index.ts'
import { asRefusal, envelopeOf } from '../../web/envelope.ts'
import { localPath } from '../../web/origin.ts'
import { clearedInvitation } from '../invitation-cookie.ts'
import { redirectTo } from '../page.tsx'
import { redirectAfterSignIn } from '../sign-in.ts'
import type { RequestContext } from '../visit.ts'
import type { FlowContext, Outcome } from './flow.ts'

export interface OAuthPage extends RequestContext {
  visit: Visit
  query: Record<string, string>
}

export const contextOf = ({ request, server, visit }: OAuthPage): FlowContext => ({
  request,
  server,
  caller: visit.caller,
})

/** A local path; by default the settings for a user who binds, the API keys for a visitor who signs in. */
export const pathAfter = ({ caller }: Visit, returnTo: unknown) => localPath(returnTo, caller ? ME_PATH : LANDING_PATH)

export async function redirectOn({ visit }: OAuthPage, { signedIn, is_new }: Outcome, path: string): Promise<Response> {
  const text = translate(visit.language, signedIn ? 'oauth.signed_in' : 'oauth.bound')
  const notice = { kind: 'success', text } as const
  if (!signedIn) return redirectTo(path, notice)
  const response = await redirectAfterSignIn(signedIn, path, notice)
  if (is_new) response.headers.append('set-cookie', clearedInvitation)
  return response
}

/** @param path where the visitor wanted to go */
export function redirectBack({ request, visit }: OAuthPage, error: unknown, path: string): Response {
  const { message } = envelopeOf(asRefusal(error, request), visit.language)
  const to = visit.caller ? path : `/login?${new URLSearchParams({ returnTo: path })}`
  return redirectTo(to, { kind: 'error', text: message })
}
