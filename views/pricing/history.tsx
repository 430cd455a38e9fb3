/** Saved versions of the prices, newest first, each with what it changed and a button to undo it. */
import Undo2 from 'lucide/dist/esm/icons/undo-2.mjs'
import { Confirm } from '../../client/components/drawer.tsx'
import { Empty } from '../../client/components/empty.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { PageLink } from '../../client/components/link.tsx'
import { At } from '../../client/components/moment.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { Pager } from '../../client/components/pager.tsx'
import { type Column, Table } from '../../client/components/table.tsx'
import type { Listing } from '../../src/contracts/paging.ts'
import type { PriceChange, PriceKey } from '../../src/contracts/pricing.ts'
import type { Translate } from '../../src/locales/index.ts'
import { pricesAction, type SettingsView, settingsAt } from './settings-view.ts'

interface HistoryProps {
  list: Listing<PriceChange>
  view: SettingsView
  /** Id of the open change. */
  open?: number
}

export function History({ list, view, open }: HistoryProps) {
  const { t } = usePageContext()
  if (!list.items.length) return <Empty text={t('pricing.no_history')} />
  const isOpen = ({ id }: PriceChange) => id === open
  const hrefOf = (change: PriceChange) => settingsAt(view, isOpen(change) ? undefined : { open: change.id })
  return (
    <>
      <Table
        label={t('pricing.area_history')}
        columns={columnsOf(t, hrefOf)}
        rows={list.items}
        keyOf={change => change.id}
        nameOf={change => labelsOf(change.keys, t)}
        fold={{ isOpen, hrefOf, inside: change => <ChangedEntries change={change} /> }}
        actions={change =>
          change.can_undo && (
            <PageLink className="btn btn-ghost btn-sm" href={settingsAt(view, { undo: change.id })}>
              <Icon of={Undo2} />
              {t('pricing.undo')}
            </PageLink>
          )
        }
      />
      <Pager page={list.page} size={list.page_size} total={list.total} hrefOf={page => settingsAt({ ...view, page })} />
    </>
  )
}

const labelsOf = (keys: readonly PriceKey[], t: Translate) => keys.map(key => t(`option.${key}`)).join(', ')

const columnsOf = (t: Translate, hrefOf: (change: PriceChange) => string): Column<PriceChange>[] => [
  {
    id: 'time',
    head: t('ui.time'),
    phone: 'side',
    className: 'ink-2',
    cell: change => <At at={change.created_time} show="near" />,
  },
  {
    id: 'keys',
    head: t('pricing.changed'),
    phone: 'title',
    className: 'truncate sm:max-w-80',
    cell: change => <PageLink href={hrefOf(change)}>{labelsOf(change.keys, t)}</PageLink>,
  },
  {
    id: 'actor',
    head: t('pricing.actor'),
    phone: 'detail',
    cell: change => change.actor ?? t('pricing.system'),
  },
  {
    id: 'version',
    head: t('pricing.version'),
    optional: true,
    className: 'mono ink-3',
    cell: change => change.version,
  },
]

const ENTRIES_MAX = 200

/** Each changed entry of each table. */
function ChangedEntries({ change }: { change: PriceChange }) {
  const { t } = usePageContext()
  const entries = change.keys.flatMap(key => changedIn(key, change))
  return (
    <div className="audit-detail">
      <table className="changed-fields">
        <thead>
          <tr>
            <th scope="col">{t('pricing.changed')}</th>
            <th scope="col">{t('pricing.before')}</th>
            <th scope="col">{t('pricing.after')}</th>
          </tr>
        </thead>
        <tbody>
          {entries.slice(0, ENTRIES_MAX).map(({ key, name, before, after }) => (
            <tr key={`${key} ${name}`}>
              <th scope="row">
                {t(`option.${key}`)} {name}
              </th>
              <td>{before ?? '–'}</td>
              <td>{after ?? '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {entries.length > ENTRIES_MAX && (
        <p className="help">{t('pricing.others', { count: entries.length - ENTRIES_MAX })}</p>
      )}
    </div>
  )
}

function changedIn(key: PriceKey, change: PriceChange) {
  const [before, after] = [entriesIn(change.before[key]), entriesIn(change.after[key])]
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names]
    .map(name => ({ key, name, before: before[name], after: after[name] }))
    .filter(entry => entry.before !== entry.after)
}

/** Entries of a table as texts; an option without entries is its own only one. */
function entriesIn(text = ''): Record<string, string> {
  if (!text.startsWith('{')) return text === '' ? {} : { '': text }
  return Object.fromEntries(Object.entries(JSON.parse(text)).map(([name, value]) => [name, JSON.stringify(value)]))
}

export function ConfirmUndo({ change, view }: { change: number; view: SettingsView }) {
  const { t } = usePageContext()
  return (
    <Confirm
      title={t('pricing.undo_title')}
      text={t('pricing.undo_text')}
      close={settingsAt(view)}
      action={pricesAction(`${change}/undo`)}
      submit={t('pricing.undo')}
    />
  )
}

export function ConfirmReset({ view }: { view: SettingsView }) {
  const { t } = usePageContext()
  return (
    <Confirm
      title={t('pricing.reset_title')}
      text={t('pricing.reset_text')}
      close={settingsAt(view)}
      action={pricesAction('reset')}
      submit={t('pricing.reset')}
    />
  )
}

export function ConfirmDelete({ name, view }: { name: string; view: SettingsView }) {
  const { t } = usePageContext()
  return (
    <Confirm
      title={t('pricing.delete_title', { name })}
      text={t('pricing.delete_text')}
      close={settingsAt(view)}
      action={`${pricesAction('models/delete')}?${new URLSearchParams({ delete: name })}`}
      submit={t('pricing.delete')}
    />
  )
}
