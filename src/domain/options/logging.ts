/** Options of the usage log. */
import { flag, section } from './declare.ts'

export const logging = section({
  tab: 'operation',
  options: {
    LogConsumeEnabled: flag(true),
    LogChatContentEnabled: flag(false),
    LogErrorEnabled: flag(false),
  },
})
