/** Users whose calls wait for a channel with room. */
import { usePageContext } from '../../client/components/page-context.tsx'
import { type Column, Table } from '../../client/components/table.tsx'
import type { QueuedUser } from '../../src/contracts/diagnostics.ts'
import { grouped } from '../../src/pure/number.ts'
import { seconds } from '../../src/pure/time.ts'
import { UserName } from '../layout/things.tsx'

export function CallQueue({ queue }: { queue: QueuedUser[] }) {
  const { t } = usePageContext()
  if (!queue.length) return <p className="help m-0">{t('diagnostics.queue_empty')}</p>
  const columns: Column<QueuedUser>[] = [
    {
      id: 'user',
      head: t('diagnostics.queue_user'),
      phone: 'title',
      cell: ({ user_id, username }) => <UserName id={user_id} name={username} />,
    },
    {
      id: 'models',
      head: t('diagnostics.queue_models'),
      phone: 'detail',
      cell: ({ models }) => <span className="mono">{models.join(', ')}</span>,
    },
    {
      id: 'calls',
      head: t('diagnostics.queued'),
      number: true,
      phone: 'figure',
      cell: ({ calls }) => grouped(calls),
    },
    {
      id: 'waited',
      head: t('diagnostics.queue_waited'),
      number: true,
      cell: ({ waited_ms }) => t('time.seconds', { value: seconds(waited_ms / 1000) }),
    },
    { id: 'weight', head: t('diagnostics.queue_weight'), number: true, cell: ({ weight }) => weight },
  ]
  return (
    <Table
      label={t('diagnostics.queue')}
      columns={columns}
      rows={queue}
      keyOf={({ user_id }) => user_id}
      nameOf={({ username }) => username}
      classOf={() => 'still'}
      dense
    />
  )
}
