/** What a login provider declares, and who signs in by one. */
import type * as oauth from 'oauth4webapi'
import type { CodeProviderName, LoginProviderName } from '../../contracts/oauth.ts'
import type { ProviderIds } from '../account/index.ts'
import type { OptionState } from '../options/index.ts'

export interface LoginProvider {
  name: LoginProviderName
  /** Column of `users` with the provider's id of the user. */
  column: keyof ProviderIds
  /** Whether the operator has switched it on and filled in what it needs. */
  isEnabled(options: Pick<OptionState, 'value'>): boolean
}

/** A provider that sends the browser back with a code (OAuth 2.0, OpenID Connect). */
export interface CodeProvider extends LoginProvider {
  name: CodeProviderName
  scope: string
  /** Whether its documentation names PKCE. */
  pkce: boolean
  /** Sends an id token, whose nonce is checked. */
  openid?: true
  /** Endpoints and client at this moment. */
  client(): Promise<OAuthClient>
  /** The user behind an access token. @throws any error for a response that is none of the provider's */
  identify(grant: Grant): Promise<LoginIdentity>
}

export interface OAuthClient {
  server: oauth.AuthorizationServer
  client: oauth.Client
  authentication: oauth.ClientAuth
}

/** What the exchange of a code gave. */
export interface Grant extends OAuthClient {
  access_token: string
  /** Claims of the verified id token; undefined without one. */
  claims?: oauth.IDToken
}

/** A user as a provider knows them. */
export interface LoginIdentity {
  provider: LoginProviderName
  column: keyof ProviderIds
  /** The provider's id of the user, which never changes. */
  id: string
  /** GitHub's name of the user, which can change hands. */
  login?: string
  /** Wanted as user name, where it is allowed and free. */
  username?: string
  display_name?: string
  /** In lower case; only when the provider has verified it. */
  email?: string
}
