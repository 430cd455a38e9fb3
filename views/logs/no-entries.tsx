/** Empty usage log: when the last matching entry was written, and a link to it. */
import { Empty } from '../../client/components/empty.tsx'
import { PageLink } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { relative } from '../../src/pure/time.ts'
import { filterCount, type LogsView, logsAt } from './view.ts'

interface NoEntriesProps {
  view: LogsView
  /** Unix seconds of the newest entry that matches in any range. */
  last: number | undefined
  /** Failed calls are asked for, and are not recorded. */
  isUnrecorded: boolean
  isOperator: boolean
}

export function NoEntries({ view, last, isUnrecorded, isOperator }: NoEntriesProps) {
  const { t, now } = usePageContext()
  if (isUnrecorded) {
    return (
      <Empty drawing="slip" text={t('log.errors_off')}>
        {isOperator && (
          <a className="btn" href="/admin/settings?tab=operation">
            {t('log.errors_on')}
          </a>
        )}
      </Empty>
    )
  }
  const isFiltered = filterCount(view) > 0
  if (last === undefined && !isFiltered) {
    return (
      <Empty drawing="slip" text={t('log.none_yet')}>
        <a className="btn" href="/app/tokens?new">
          {t('token.create')}
        </a>
      </Empty>
    )
  }
  const ago = last === undefined ? undefined : relative(last, now)
  const text = ago ? t('log.last_was', { ago: t(ago.code, { count: ago.count }) }) : t('log.none_match')
  const wider = view.range === 'today' || view.range === 'yesterday' ? '3d' : '30d'
  return (
    <Empty drawing="slip" text={text}>
      {last !== undefined && view.range !== '30d' && (
        <PageLink className="btn" href={logsAt({ ...view, page: 1, range: wider })}>
          {t(wider === '3d' ? 'log.show_last' : 'log.show_more')}
        </PageLink>
      )}
      {isFiltered && (
        <PageLink className="btn" href={logsAt({})}>
          {t('log.clear_filters')}
        </PageLink>
      )}
    </Empty>
  )
}
