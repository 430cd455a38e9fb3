/** Signed-in devices on the security page. */
import Monitor from 'lucide/dist/esm/icons/monitor.mjs'
import Smartphone from 'lucide/dist/esm/icons/smartphone.mjs'
import { Flag } from '../../client/components/badge.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { ActionButton } from '../../client/components/link.tsx'
import { Ago, At } from '../../client/components/moment.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { Device } from '../../src/contracts/security.ts'
import type { Translate } from '../../src/locales/translator.ts'
import { type DeviceNames, deviceNames } from '../../src/pure/user-agent.ts'
import { Section, SectionRow } from '../me/section.tsx'
import { securityAction } from './view.ts'

const phones = ['iPhone', 'iPad', 'Android']

export function Devices({ devices }: { devices: Device[] }) {
  const { t } = usePageContext()
  const end = devices.some(device => !device.current) && (
    <ActionButton action={securityAction('sessions/end-others')} className="btn btn-sm">
      {t('security.devices_end')}
    </ActionButton>
  )
  return (
    <Section title={t('security.devices')} help={t('security.devices_text')} action={end}>
      <ul>
        {devices.map(device => (
          <DeviceRow key={device.id} device={device} />
        ))}
      </ul>
    </Section>
  )
}

function DeviceRow({ device: { id, device, address, created_time, last_seen, current } }: { device: Device }) {
  const { t } = usePageContext()
  const names = deviceNames(device)
  const name = deviceName(names, t)
  const title = (
    <span className="inline-flex flex-wrap items-center gap-x-2" title={device}>
      {name} {current && <Flag>{t('security.device_this')}</Flag>}
    </span>
  )
  const detail = (
    <>
      <span className="mono">{address}</span> · {t('security.device_seen')} <Ago at={last_seen} />
      <span className="wide-only">
        {' '}
        · {t('security.device_since')} <At at={created_time} show="day" />
      </span>
    </>
  )
  return (
    <SectionRow
      icon={<Icon of={phones.includes(names.system) ? Smartphone : Monitor} className="ink-3" />}
      title={title}
      detail={detail}
    >
      {!current && (
        <ActionButton
          action={securityAction(`sessions/${id}/end`)}
          className="btn btn-ghost btn-sm"
          aria-label={t('security.device_end_of', { name })}
        >
          {t('security.device_end')}
        </ActionButton>
      )}
    </SectionRow>
  )
}

function deviceName({ browser, system }: DeviceNames, t: Translate): string {
  if (browser && system) return t('security.device_on', { browser, system })
  return browser || system || t('security.device_unknown')
}
