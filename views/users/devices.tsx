/** Drawer with the devices on which a user is signed in. */
import { Drawer } from '../../client/components/drawer.tsx'
import { Ago, At } from '../../client/components/moment.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { type Column, Table } from '../../client/components/table.tsx'
import type { Device } from '../../src/contracts/security.ts'
import type { Translate } from '../../src/locales/index.ts'
import type { ReachedUser } from './reach.ts'
import { type UsersView, usersAction, usersAt } from './view.ts'

interface DevicesProps {
  view: UsersView
  user: ReachedUser
  devices: Device[]
}

export function Devices({ view, user: { id, username: name, changeable }, devices }: DevicesProps) {
  const { t } = usePageContext()
  const title = t('user.devices_title', { name })
  const ending =
    changeable && devices.length
      ? { action: usersAction(view, `${id}/sign-out`), returnTo: usersAt(view), submit: t('user.sign_out') }
      : {}
  return (
    <Drawer title={title} close={usersAt(view)} wide {...ending}>
      {devices.length === 0 && <p className="help">{t('user.devices_none')}</p>}
      {devices.length > 0 && (
        <Table
          label={title}
          columns={columnsOf(t)}
          rows={devices}
          keyOf={device => device.id}
          nameOf={({ device }) => device}
        />
      )}
    </Drawer>
  )
}

const columnsOf = (t: Translate): Column<Device>[] => [
  { id: 'device', head: t('user.device'), phone: 'title', cell: device => <DeviceName device={device} /> },
  { id: 'address', head: t('user.address'), phone: 'detail', className: 'mono', cell: device => device.address },
  { id: 'last_seen', head: t('user.last_seen'), phone: 'side', cell: device => <Ago at={device.last_seen} /> },
  {
    id: 'signed_in',
    head: t('user.signed_in'),
    optional: true,
    cell: device => <At at={device.created_time} show="day" />,
  },
]

function DeviceName({ device: { device } }: { device: Device }) {
  const { t } = usePageContext()
  return (
    <span className="block truncate font-normal sm:max-w-64" title={device}>
      {device || t('user.device_unknown')}
    </span>
  )
}
