/** Options of sign-in with Telegram. */
import { flag, line, secret, section } from './declare.ts'

export const telegram = section({
  tab: 'system',
  root: true,
  options: {
    TelegramOAuthEnabled: flag(false, { publicAs: 'telegram_oauth' }),
    TelegramBotToken: secret(),
    TelegramBotName: line('', { publicAs: 'telegram_bot_name' }),
  },
  check: value => (value.TelegramOAuthEnabled && !value.TelegramBotToken ? 'option.telegram_incomplete' : undefined),
})
