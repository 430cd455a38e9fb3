/** Sign-in with WeChat: a WeChat server of the operator turns a code from the official account into a WeChat id. */
import { z } from 'zod'
import { Refusal } from '../../contracts/refusal.ts'
import { option } from '../options/index.ts'
import { ProviderId } from './identity.ts'
import type { LoginIdentity, LoginProvider } from './provider.ts'
import { conversing, providerJson } from './provider-fetch.ts'

const Answer = z.object({ success: z.boolean(), data: ProviderId.nullish().catch(undefined) })

export const wechat: LoginProvider = {
  name: 'wechat',
  column: 'wechat_id',
  isEnabled: ({ value }) => value('WeChatAuthEnabled') && value('WeChatServerAddress') !== '',
}

/** @throws Refusal `oauth.code_wrong` at the field `code` */
export async function identityByWeChatCode(code: string): Promise<LoginIdentity> {
  const url = `${option('WeChatServerAddress')}/api/wechat/user?${new URLSearchParams({ code })}`
  const { success, data } = await conversing(async () =>
    Answer.parse(await providerJson(url, { authorization: option('WeChatServerToken') })),
  )
  if (!success || !data) throw new Refusal('oauth.code_wrong', {}, 200, 'code')
  return { provider: 'wechat', column: 'wechat_id', id: data }
}
