/** Addresses of the personal settings. */
import { ME_PATH } from '../../src/contracts/profile.ts'
import type { Visit } from '../../src/contracts/visit.ts'

const ME_TABS = ['profile', 'security', 'notifications', 'prices', 'rewards'] as const
export type MeTab = (typeof ME_TABS)[number]

/** Check-in and invitations are options of the site. */
export const offersRewards = ({ status }: Visit): boolean => status.check_in_enabled || status.aff_enabled

export const meTabsFor = (visit: Visit): MeTab[] => ME_TABS.filter(tab => tab !== 'rewards' || offersRewards(visit))

export function meTabAt(tab: MeTab): string {
  if (tab === 'profile') return ME_PATH
  return tab === 'security' ? `${ME_PATH}/security` : `${ME_PATH}?tab=${tab}`
}

/** Dialogs over the profile. */
export const meDialogAt = (dialog: 'password' | 'delete'): string => `${ME_PATH}?open=${dialog}`

/** Dialogs over the rewards. */
export const rewardDialogAt = (dialog: 'transfer' | 'invitees'): string => `${meTabAt('rewards')}&open=${dialog}`
