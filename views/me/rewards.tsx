/** Tab of the personal settings: check-in and invitations, where these are switched on. */
import type { ReactNode } from 'react'
import type { CheckInState } from '../../src/contracts/reward.ts'
import type { Visit } from '../../src/contracts/visit.ts'
import { CheckIn } from '../rewards/check-in.tsx'
import { Invitation, type InvitationFacts } from '../rewards/invitation.tsx'
import { MeTabs } from './tabs.tsx'

interface RewardsProps {
  visit: Visit
  checkIn?: { state: CheckInState; form_id: string; errors: Record<string, string> }
  invitation?: InvitationFacts
  /** Dialog over the page. */
  overlay?: ReactNode
}

export const Rewards = ({ visit, checkIn, invitation, overlay }: RewardsProps) => (
  <>
    <MeTabs visit={visit} current="rewards" />
    <div className="sections">
      {checkIn && <CheckIn visit={visit} {...checkIn} />}
      {invitation && <Invitation facts={invitation} />}
    </div>
    {overlay}
  </>
)
