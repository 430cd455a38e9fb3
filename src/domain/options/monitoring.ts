/** Options of channel tests, auto-disable and balance alerts. */
import { decimal, flag, lines, section, whole } from './declare.ts'

const disableKeywords = [
  'Your credit balance is too low',
  'This organization has been disabled.',
  'You exceeded your current quota',
  'Permission denied',
  'The security token included in the request is invalid',
  'Operation not allowed',
  'Your account is not authorized',
]

export const monitoring = section({
  tab: 'operation',
  options: {
    ChannelDisableThreshold: decimal(5),
    QuotaRemindThreshold: whole(500_000),
    AutomaticDisableChannelEnabled: flag(false),
    AutomaticEnableChannelEnabled: flag(false),
    AutomaticDisableKeywords: lines(disableKeywords),
    ChannelTestIntervalMinutes: whole(0),
    ChannelBalanceIntervalMinutes: whole(0),
  },
})
