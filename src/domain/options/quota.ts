/** Options of quota that users receive. */
import { section, whole } from './declare.ts'

export const quota = section({
  tab: 'operation',
  options: {
    QuotaForNewUser: whole(0),
    PreConsumedQuota: whole(500),
    DefaultMaxOutput: whole(32_768, { min: 1 }),
    MinAffordableOutput: whole(256, { min: 16 }),
    QuotaForInviter: whole(0),
    QuotaForInvitee: whole(0),
  },
})
