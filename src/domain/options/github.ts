/** Options of sign-in with GitHub. */
import { flag, line, secret, section } from './declare.ts'

export const github = section({
  tab: 'system',
  root: true,
  options: {
    GitHubOAuthEnabled: flag(false, { publicAs: 'github_oauth' }),
    GitHubClientId: line('', { publicAs: 'github_client_id' }),
    GitHubClientSecret: secret(),
  },
  check: value =>
    value.GitHubOAuthEnabled && !(value.GitHubClientId && value.GitHubClientSecret)
      ? 'option.github_incomplete'
      : undefined,
})
