/** All login providers. */
import type { CodeProviderName, LoginProviderName } from '../../contracts/oauth.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { currentOptions, type OptionState } from '../options/index.ts'
import { github } from './github.ts'
import { linuxDo } from './linux-do.ts'
import { oidc } from './oidc.ts'
import type { CodeProvider, LoginProvider } from './provider.ts'
import { telegram } from './telegram.ts'
import { wechat } from './wechat.ts'

const codeProviders: Record<CodeProviderName, CodeProvider> = { github, oidc, linuxdo: linuxDo }

export const providers: Record<LoginProviderName, LoginProvider> = { ...codeProviders, wechat, telegram }

export const isProviderEnabled = (name: LoginProviderName, options: Pick<OptionState, 'value'> = currentOptions()) =>
  providers[name].isEnabled(options)

/** @throws Refusal `oauth.not_enabled` */
export function checkProviderEnabled(name: LoginProviderName) {
  if (!isProviderEnabled(name)) throw new Refusal('oauth.not_enabled')
}

/** @throws Refusal `oauth.not_enabled` */
export function codeProvider(name: CodeProviderName): CodeProvider {
  checkProviderEnabled(name)
  return codeProviders[name]
}
