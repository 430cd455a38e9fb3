/** Options of the daily check-in. */
import { flag, section, whole } from './declare.ts'

/** A maximum at or below the reward means a fixed reward, so the two may be saved in any order. */
export const checkIn = section({
  tab: 'operation',
  options: {
    CheckInEnabled: flag(false, { publicAs: 'check_in_enabled' }),
    CheckInQuota: whole(1000),
    CheckInMaxQuota: whole(0),
  },
})
