/** The audit log page: administrative changes, newest first. */
import { Empty, NoMatch } from '../../client/components/empty.tsx'
import { ExportLink } from '../../client/components/export-link.tsx'
import { PageLink } from '../../client/components/link.tsx'
import { At } from '../../client/components/moment.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { PageHead } from '../../client/components/page-head.tsx'
import { Pager } from '../../client/components/pager.tsx'
import { type Column, Table } from '../../client/components/table.tsx'
import type { Listing } from '../../src/contracts/paging.ts'
import type { Translate } from '../../src/locales/index.ts'
import { usersAt } from '../users/view.ts'
import { actionText, ChangedFields, Summary } from './change.tsx'
import { AuditFilters } from './filters.tsx'
import { type AuditItem, type AuditView, auditAt, exportAt, filterCount } from './view.ts'

interface AuditLogProps {
  view: AuditView
  list: Listing<AuditItem>
  /** Id of the open entry. */
  open?: number
}

export function AuditLog({ view, list, open }: AuditLogProps) {
  const { t } = usePageContext()
  return (
    <>
      <PageHead title={t('audit.title')} small={list.total}>
        <ExportLink href={exportAt(view)} />
      </PageHead>
      <AuditFilters view={view} />
      {list.items.length ? <Entries view={view} list={list} open={open} /> : <NoEntries view={view} />}
    </>
  )
}

function Entries({ view, list, open }: AuditLogProps) {
  const { t } = usePageContext()
  const isOpen = ({ id }: AuditItem) => id === open
  const hrefOf = (entry: AuditItem) => auditAt(view, isOpen(entry) ? undefined : entry.id)
  return (
    <>
      <Table
        label={t('audit.title')}
        columns={columnsOf(t, hrefOf)}
        rows={list.items}
        keyOf={entry => entry.id}
        nameOf={entry => `${actionText(entry, t)} ${entry.target}`}
        fold={{ isOpen, hrefOf, inside: entry => <ChangedFields entry={entry} at={auditAt(view, entry.id)} /> }}
      />
      <Pager page={list.page} size={list.page_size} total={list.total} hrefOf={page => auditAt({ ...view, page })} />
    </>
  )
}

const columnsOf = (t: Translate, hrefOf: (entry: AuditItem) => string): Column<AuditItem>[] => [
  {
    id: 'time',
    head: t('audit.time'),
    phone: 'side',
    className: 'ink-2',
    cell: entry => <At at={entry.created_time} show="near" />,
  },
  {
    id: 'action',
    head: t('audit.action'),
    phone: 'title',
    cell: entry => <PageLink href={hrefOf(entry)}>{actionText(entry, t)}</PageLink>,
  },
  {
    id: 'target',
    head: t('audit.target'),
    phone: 'detail',
    cell: entry => <Target {...entry} />,
  },
  {
    id: 'change',
    head: t('audit.change'),
    optional: true,
    className: 'ink-2 sm:w-full sm:max-w-0',
    cell: entry => <Summary entry={entry} />,
  },
  { id: 'actor', head: t('audit.actor'), phone: 'figure', cell: entry => <Actor {...entry} /> },
  {
    id: 'address',
    head: t('audit.address'),
    optional: true,
    className: 'ink-3',
    cell: entry => entry.address || t('audit.no_address'),
  },
]

const Target = ({ target, href }: AuditItem) => (
  <span className="block truncate sm:max-w-60">{href ? <PageLink href={href}>{target}</PageLink> : target}</span>
)

/** Commands and jobs act without a user. */
function Actor({ actor_id, actor_name }: AuditItem) {
  const { t } = usePageContext()
  if (!actor_id) return t('revision.system')
  return <PageLink href={usersAt({}, { edit: actor_id })}>{actor_name}</PageLink>
}

function NoEntries({ view }: { view: AuditView }) {
  const { t } = usePageContext()
  if (!filterCount(view)) return <Empty text={t('audit.none')} />
  return (
    <NoMatch text={t('audit.none_match')} all={auditAt({})}>
      {t('audit.show_all')}
    </NoMatch>
  )
}
