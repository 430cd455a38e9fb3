/**
 * Sign-in with OpenID Connect. With a discovery address the id token is verified by issuer, audience and signature; with
 * endpoints alone its signature is vouched for by the connection to the token endpoint.
 * https://openid.net/specs/openid-connect-core-1_0.html (read 2026-11)
 */
import * as oauth from 'oauth4webapi'
import { z } from 'zod'
import { currentOptions, type OptionState, option } from '../options/index.ts'
import { addressOf, displayNameOf, ProviderId, ProviderName } from './identity.ts'
import type { CodeProvider, Grant } from './provider.ts'
import { providerJson, requestOptions } from './provider-fetch.ts'

const DISCOVERY_PATH = '/.well-known/openid-configuration'

const Claims = z.object({
  sub: ProviderId,
  preferred_username: ProviderName,
  name: ProviderName,
  email: ProviderName,
  /** Some providers send it as text. */
  email_verified: z.union([z.boolean(), z.enum(['true', 'false']).transform(text => text === 'true')]).catch(false),
})

export const oidc: CodeProvider = {
  name: 'oidc',
  column: 'oidc_id',
  scope: 'openid profile email',
  pkce: true,
  openid: true,
  isEnabled: options =>
    options.value('oidc.enabled') &&
    options.value('oidc.client_id') !== '' &&
    options.value('oidc.client_secret') !== '' &&
    (options.value('oidc.well_known') !== '' || hasEndpoints(options)),
  async client() {
    const well_known = option('oidc.well_known')
    const discovered = well_known ? await discover(well_known) : undefined
    return {
      server: discovered ?? { issuer: option('oidc.token_endpoint'), ...endpointsIn(currentOptions()) },
      client: { client_id: option('oidc.client_id') },
      authentication: authenticationFor(discovered),
    }
  },
  async identify(grant) {
    const { sub, preferred_username, name, email, email_verified } = Claims.parse(await claimsOf(grant))
    return {
      provider: 'oidc',
      column: 'oidc_id',
      id: sub,
      username: preferred_username ?? undefined,
      display_name: displayNameOf(name, preferred_username),
      email: email_verified ? addressOf(email) : undefined,
    }
  },
}

/** What the provider says of the user; the subject must be that of the id token. */
async function claimsOf({ server, client, access_token, claims }: Grant): Promise<unknown> {
  if (claims && !server.userinfo_endpoint) return claims
  const response = await oauth.userInfoRequest(server, client, access_token, requestOptions)
  const profile = await oauth.processUserInfoResponse(server, client, claims?.sub ?? oauth.skipSubjectCheck, response)
  return { ...claims, ...profile }
}

type Values = Pick<OptionState, 'value'>

const hasEndpoints = (options: Values) => Object.values(endpointsIn(options)).every(endpoint => endpoint !== '')

const endpointsIn = ({ value }: Values) => ({
  authorization_endpoint: value('oidc.authorization_endpoint'),
  token_endpoint: value('oidc.token_endpoint'),
  userinfo_endpoint: value('oidc.user_info_endpoint'),
})

const Metadata = z.looseObject({ issuer: z.url({ protocol: /^https?$/ }), jwks_uri: z.string() })

/** @throws Error when the document is not that of its own issuer */
async function discover(well_known: string): Promise<oauth.AuthorizationServer> {
  const document = Metadata.parse(await providerJson(well_known, {}))
  if (!isOfIssuer(well_known, document.issuer))
    throw new Error(`the document at ${well_known} is of the issuer ${document.issuer}`)
  // API clients pass on the code and the state only; one redirect address a provider keeps providers apart as well.
  return { ...document, authorization_response_iss_parameter_supported: false }
}

/** An address that ends otherwise than the standard's is the operator's own choice. */
export function isOfIssuer(well_known: string, issuer: string): boolean {
  const at = (address: string) => address.replace(/\/+$/, '')
  return !well_known.endsWith(DISCOVERY_PATH) || at(issuer) === at(well_known.slice(0, -DISCOVERY_PATH.length))
}

/** In the body, which most providers accept; in the header where the provider names no other way. */
function authenticationFor(discovered: oauth.AuthorizationServer | undefined): oauth.ClientAuth {
  const secret = option('oidc.client_secret')
  const inBody = !discovered || discovered.token_endpoint_auth_methods_supported?.includes('client_secret_post')
  return inBody ? oauth.ClientSecretPost(secret) : oauth.ClientSecretBasic(secret)
}
