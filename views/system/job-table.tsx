/** The periodic jobs: last and next run, and the node that runs one now. */
import { State } from '../../client/components/badge.tsx'
import { ActionButton } from '../../client/components/link.tsx'
import { Ago } from '../../client/components/moment.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { type Column, Table } from '../../client/components/table.tsx'
import { DIAGNOSTICS_PATH, type JobFacts, type NodeFacts } from '../../src/contracts/diagnostics.ts'

export function JobTable({ jobs, nodes }: { jobs: JobFacts[]; nodes: NodeFacts[] }) {
  const { t, now } = usePageContext()
  const addressOf = (id: string) => nodes.find(node => node.id === id)?.address || id
  const columns: Column<JobFacts>[] = [
    { id: 'job', head: t('diagnostics.job'), phone: 'title', cell: ({ name }) => <span className="mono">{name}</span> },
    {
      id: 'state',
      head: t('diagnostics.state'),
      phone: 'detail',
      cell({ holder, every, is_of_node }) {
        if (holder) return <State tone="open">{t('diagnostics.runs_at', { node: addressOf(holder) })}</State>
        if (!every) return <State tone="fact">{t('diagnostics.paused')}</State>
        return <State tone="fact">{t(is_of_node ? 'diagnostics.of_each' : 'diagnostics.waits')}</State>
      },
    },
    {
      id: 'last',
      head: t('diagnostics.last'),
      phone: 'figure',
      cell: ({ last_time }) => (last_time === undefined ? t('diagnostics.never_run') : <Ago at={last_time} />),
    },
    {
      id: 'next',
      head: t('diagnostics.next'),
      optional: true,
      cell: ({ next_time, every }) => {
        if (!every || next_time === undefined) return '—'
        return <Ago at={Math.max(next_time, now)} />
      },
    },
    {
      id: 'run',
      head: <span className="sr-only">{t('ui.actions')}</span>,
      phone: 'side',
      className: 'actions',
      cell: ({ name, is_of_node }) =>
        !is_of_node && (
          <ActionButton
            action={`${DIAGNOSTICS_PATH}/jobs/${name}/run`}
            returnTo={DIAGNOSTICS_PATH}
            className="btn btn-ghost btn-sm"
            aria-label={t('diagnostics.run_named', { name })}
          >
            {t('diagnostics.run')}
          </ActionButton>
        ),
    },
  ]
  return (
    <Table
      label={t('diagnostics.jobs')}
      columns={columns}
      rows={jobs}
      keyOf={({ name }) => name}
      nameOf={({ name }) => name}
      classOf={() => 'still'}
      dense
    />
  )
}
