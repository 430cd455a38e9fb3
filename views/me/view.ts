/** Addresses of the personal settings. */
import { ME_PATH } from '../../src/contracts/profile.ts'

export const ME_TABS = ['profile', 'security', 'notifications', 'prices'] as const
export type MeTab = (typeof ME_TABS)[number]

export function meTabAt(tab: MeTab): string {
  if (tab === 'profile') return ME_PATH
  return tab === 'security' ? `${ME_PATH}/security` : `${ME_PATH}?tab=${tab}`
}

/** Dialogs over the profile. */
type MeDialog = 'password' | 'delete' | 'transfer' | 'invitees'

export const meDialogAt = (dialog: MeDialog): string => `${ME_PATH}?open=${dialog}`
