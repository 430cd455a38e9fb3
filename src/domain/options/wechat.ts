/** Options of sign-in with WeChat. */
import { baseUrl, flag, secret, section, url } from './declare.ts'

export const wechat = section({
  tab: 'system',
  root: true,
  options: {
    WeChatAuthEnabled: flag(false, { publicAs: 'wechat_login' }),
    WeChatServerAddress: baseUrl(),
    WeChatServerToken: secret(),
    WeChatAccountQRCodeImageURL: url({ publicAs: 'wechat_qrcode' }),
  },
  check: value => (value.WeChatAuthEnabled && !value.WeChatServerAddress ? 'option.wechat_incomplete' : undefined),
})
