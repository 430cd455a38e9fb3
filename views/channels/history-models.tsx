/** The models of a channel's history, those with the most attempts first. */
import { PageLink } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { type Column, Table } from '../../client/components/table.tsx'
import { grouped } from '../../src/pure/number.ts'
import { percentilesText, successText } from './history-table.tsx'
import { type ChannelHistory, type HistoryFigures, type HistoryView, historyAt } from './history-view.ts'

interface ModelRow extends HistoryFigures {
  /** Blank for those that are counted together. */
  model: string
  name: string
}

export function Models({ history, view }: { history: ChannelHistory; view: HistoryView }) {
  const { t } = usePageContext()
  const { id, models, others } = history
  if (!models.length) return <p className="help m-0">{t('history.no_attempts')}</p>
  const rows: ModelRow[] = models.map(row => ({ ...row, name: row.model || t('history.unnamed') }))
  if (others) rows.push({ ...others, model: '', name: t('history.others', { count: others.count }) })
  const columns: Column<ModelRow>[] = [
    {
      id: 'model',
      head: t('history.model'),
      phone: 'title',
      cell: ({ model, name }) =>
        model ? (
          <PageLink
            className="hover:underline"
            href={historyAt(id, { ...view, model })}
            aria-current={model === view.model ? 'true' : undefined}
          >
            {name}
          </PageLink>
        ) : (
          name
        ),
    },
    { id: 'served', head: t('history.served'), number: true, optional: true, cell: row => grouped(row.succeeded) },
    { id: 'failed', head: t('history.failed'), number: true, optional: true, cell: row => grouped(row.failed) },
    { id: 'success', head: t('history.success'), number: true, phone: 'figure', cell: successText },
    {
      id: 'first',
      className: 'max-sm:text-left',
      head: t('history.first_token'),
      number: true,
      phone: 'detail',
      cell: ({ first }) => percentilesText(first),
    },
  ]
  return (
    <Table
      label={t('history.models')}
      columns={columns}
      rows={rows}
      keyOf={({ name }) => name}
      nameOf={({ name }) => name}
      classOf={() => 'still'}
      dense
    />
  )
}
