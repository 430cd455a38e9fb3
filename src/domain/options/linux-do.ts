/** Options of sign-in with LINUX DO. */
import { flag, line, secret, section } from './declare.ts'

export const linuxDo = section({
  tab: 'system',
  root: true,
  options: {
    LinuxDOOAuthEnabled: flag(false, { publicAs: 'linuxdo_oauth' }),
    LinuxDOClientId: line('', { publicAs: 'linuxdo_client_id' }),
    LinuxDOClientSecret: secret(),
  },
  check: value =>
    value.LinuxDOOAuthEnabled && !(value.LinuxDOClientId && value.LinuxDOClientSecret)
      ? 'option.linuxdo_incomplete'
      : undefined,
})
