/** The security page: second factors, passkeys, devices. */
import ShieldAlert from 'lucide/dist/esm/icons/shield-alert.mjs'
import type { ReactNode } from 'react'
import { Icon } from '../../client/components/icon.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { Device, SecondFactors } from '../../src/contracts/security.ts'
import type { Visit } from '../../src/contracts/visit.ts'
import { MeTabs } from '../me/tabs.tsx'
import { AuthenticatorSection } from './authenticator.tsx'
import { Devices } from './devices.tsx'
import { Passkeys } from './passkeys.tsx'

interface SecurityProps {
  visit: Visit
  factors: SecondFactors
  devices: Device[]
  /** Whether an administrator has yet to set up a second factor. */
  required: boolean
  /** Drawer or dialog over the page. */
  overlay?: ReactNode
}

export function Security({ visit, factors, devices, required, overlay }: SecurityProps) {
  const { t } = usePageContext()
  return (
    <>
      <MeTabs visit={visit} current="security" />
      {required && (
        <p className="note warning mt-0 mb-5 max-w-3xl" role="status">
          <Icon of={ShieldAlert} />
          <span>{t('security.two_step_required')}</span>
        </p>
      )}
      <div className="sections">
        <AuthenticatorSection factors={factors} />
        <Passkeys passkeys={factors.passkeys} />
        <Devices devices={devices} />
      </div>
      {overlay}
    </>
  )
}
