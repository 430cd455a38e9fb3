/** Options of the usage log. */
import { flag, section, whole } from './declare.ts'

export const logging = section({
  tab: 'operation',
  options: {
    LogConsumeEnabled: flag(true),
    LogChatContentEnabled: flag(false),
    LogErrorEnabled: flag(true),
    /** Older entries are deleted; 0 keeps all. */
    LogRetentionDays: whole(0, { max: 36_500 }),
    /** What calls went through is deleted after so many days; 0 records nothing. */
    CallRecordDays: whole(14, { max: 365 }),
  },
})
