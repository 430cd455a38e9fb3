/**
 * Sign-in with GitHub, by the numeric id: login names change hands.
 * https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps (read 2026-11)
 */
import * as oauth from 'oauth4webapi'
import { z } from 'zod'
import { env } from '../../env.ts'
import { option } from '../options/index.ts'
import { addressOf, displayNameOf, ProviderId, ProviderName } from './identity.ts'
import type { CodeProvider } from './provider.ts'
import { providerJson } from './provider-fetch.ts'

const Profile = z.object({ id: ProviderId, login: ProviderName, name: ProviderName })
const Addresses = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() })).catch([])

export const github: CodeProvider = {
  name: 'github',
  column: 'github_id',
  scope: 'user:email',
  pkce: true,
  isEnabled: ({ value }) =>
    value('GitHubOAuthEnabled') && value('GitHubClientId') !== '' && value('GitHubClientSecret') !== '',
  client: async () => ({
    server: {
      issuer: env.GITHUB_URL,
      authorization_endpoint: `${env.GITHUB_URL}/login/oauth/authorize`,
      token_endpoint: `${env.GITHUB_URL}/login/oauth/access_token`,
    },
    client: { client_id: option('GitHubClientId') },
    authentication: oauth.ClientSecretPost(option('GitHubClientSecret')),
  }),
  async identify({ access_token }) {
    const headers = { authorization: `Bearer ${access_token}`, 'user-agent': 'Tollgate' }
    const { id, login, name } = Profile.parse(await providerJson(`${env.GITHUB_API_URL}/user`, headers))
    // A GitHub App without the permission for addresses gets 403 here.
    const addresses = Addresses.parse(
      await providerJson(`${env.GITHUB_API_URL}/user/emails`, headers).catch(() => undefined),
    )
    const email = addressOf(addresses.find(address => address.primary && address.verified)?.email)
    const display_name = displayNameOf(name, login)
    return { provider: 'github', column: 'github_id', id, login: login ?? undefined, display_name, email }
  },
}
