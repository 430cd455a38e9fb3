/** Dialog with a user's balance and usage, for administrators. */
import { Dialog } from '../../client/components/drawer.tsx'
import { PageLink } from '../../client/components/link.tsx'
import { Quota } from '../../client/components/money.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { grouped } from '../../src/pure/number.ts'
import { type LogsView, logsAt } from './view.ts'

export interface UserDialogProps {
  view: LogsView
  person: { username: string; quota: number; used_quota: number; request_count: number }
}

export function UserDialog({ view, person: { username, quota, used_quota, request_count } }: UserDialogProps) {
  const { t } = usePageContext()
  const facts = (
    <dl className="facts">
      <dt>{t('log.username')}</dt>
      <dd>{username}</dd>
      <dt>{t('log.balance')}</dt>
      <dd>
        <Quota of={quota} />
      </dd>
      <dt>{t('log.used')}</dt>
      <dd>
        <Quota of={used_quota} />
      </dd>
      <dt>{t('log.calls')}</dt>
      <dd>{grouped(request_count)}</dd>
    </dl>
  )
  return (
    <Dialog title={t('log.person', { name: username })} close={logsAt(view)} facts={facts}>
      <PageLink className="btn btn-ghost" href={logsAt(view)} data-close>
        {t('ui.close')}
      </PageLink>
      <PageLink className="btn" href={logsAt({ ...view, username, page: 1 })}>
        {t('log.only_theirs')}
      </PageLink>
    </Dialog>
  )
}
