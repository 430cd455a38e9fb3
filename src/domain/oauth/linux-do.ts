/** Sign-in with Linux DO. https://connect.linux.do (read 2026-11) */
import * as oauth from 'oauth4webapi'
import { z } from 'zod'
import { env } from '../../env.ts'
import { option } from '../options/index.ts'
import { displayNameOf, ProviderId, ProviderName } from './identity.ts'
import type { CodeProvider } from './provider.ts'
import { providerJson } from './provider-fetch.ts'

const Profile = z.object({ id: ProviderId, username: ProviderName, name: ProviderName })

export const linuxDo: CodeProvider = {
  name: 'linuxdo',
  column: 'linux_do_id',
  scope: '',
  pkce: false,
  isEnabled: ({ value }) =>
    value('LinuxDOOAuthEnabled') && value('LinuxDOClientId') !== '' && value('LinuxDOClientSecret') !== '',
  client: async () => ({
    server: {
      issuer: env.LINUX_DO_URL,
      authorization_endpoint: `${env.LINUX_DO_URL}/oauth2/authorize`,
      token_endpoint: `${env.LINUX_DO_URL}/oauth2/token`,
    },
    client: { client_id: option('LinuxDOClientId') },
    authentication: oauth.ClientSecretBasic(option('LinuxDOClientSecret')),
  }),
  async identify({ access_token }) {
    const headers = { authorization: `Bearer ${access_token}` }
    const { id, username, name } = Profile.parse(await providerJson(`${env.LINUX_DO_URL}/api/user`, headers))
    return { provider: 'linuxdo', column: 'linux_do_id', id, display_name: displayNameOf(name, username) }
  },
}
