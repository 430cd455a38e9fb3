/** Changes of a section of the settings, newest first, each with its values and a button to undo it. */
import History from 'lucide/dist/esm/icons/rotate-ccw-clock.mjs'
import Undo2 from 'lucide/dist/esm/icons/undo-2.mjs'
import { Drawer } from '../../client/components/drawer.tsx'
import { Empty } from '../../client/components/empty.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { ActionButton, PageLink } from '../../client/components/link.tsx'
import { Ago } from '../../client/components/moment.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { OptionEdit } from '../../src/contracts/option.ts'
import type { Listing } from '../../src/contracts/paging.ts'
import type { Translate } from '../../src/locales/index.ts'
import { lastPage } from '../../src/pure/paging.ts'
import { type SettingsTab, tabAt, undoPath } from './view.ts'

interface Place {
  section: string
  tab: SettingsTab
}

const historyAt = ({ section, tab }: Place, page = 1) =>
  tabAt(tab, { history: section, ...(page > 1 && { hp: String(page) }) })

export function HistoryLink(place: Place) {
  const { t } = usePageContext()
  return (
    <PageLink href={historyAt(place)} className="btn btn-ghost btn-sm history-link">
      <Icon of={History} small />
      {t('revision.history')}
    </PageLink>
  )
}

interface DrawerProps extends Place {
  title: string
  list: Listing<OptionEdit>
  labelOf: (key: string) => string
}

export function HistoryDrawer({ title, list, labelOf, ...place }: DrawerProps) {
  const { t } = usePageContext()
  const last = lastPage(list.page_size, list.total)
  return (
    <Drawer title={t('revision.history_of', { section: title })} close={tabAt(place.tab)} wide>
      {list.items.length === 0 && <Empty text={t('revision.no_history')} />}
      <ol className="revisions">
        {list.items.map(edit => (
          <li key={edit.id}>
            <Revision edit={edit} label={labelOf(edit.key)} returnTo={historyAt(place, list.page)} />
          </li>
        ))}
      </ol>
      <nav className="flex gap-2">
        {list.page > 1 && (
          <PageLink className="btn btn-sm" href={historyAt(place, list.page - 1)}>
            {t('revision.newer')}
          </PageLink>
        )}
        {list.page < last && (
          <PageLink className="btn btn-sm" href={historyAt(place, list.page + 1)}>
            {t('revision.older')}
          </PageLink>
        )}
      </nav>
    </Drawer>
  )
}

function Revision({ edit, label, returnTo }: { edit: OptionEdit; label: string; returnTo: string }) {
  const { t } = usePageContext()
  const { id, created_time, actor_id, actor_name, secret, can_undo } = edit
  return (
    <>
      <header>
        <b>{label}</b>
        <span className="help">
          {actor_id === 0 ? t('revision.system') : actor_name} · <Ago at={created_time} />
        </span>
        {can_undo && (
          <ActionButton
            action={undoPath(id)}
            returnTo={returnTo}
            aria-label={t('revision.undo_of', { name: label })}
            className="btn btn-sm"
          >
            <Icon of={Undo2} small />
            {t('revision.undo')}
          </ActionButton>
        )}
      </header>
      {secret ? <p className="help m-0">{t('revision.replaced')}</p> : <Values edit={edit} />}
    </>
  )
}

const ENTRIES_MAX = 50

function Values({ edit: { before, after } }: { edit: OptionEdit }) {
  const { t } = usePageContext()
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const isMap = names.length !== 1 || names[0] !== 'value'
  return (
    <table className="changed-values">
      <thead className="sr-only">
        <tr>
          {isMap && <th scope="col">{t('revision.entry')}</th>}
          <th scope="col">{t('revision.before')}</th>
          <th scope="col">{t('revision.after')}</th>
        </tr>
      </thead>
      <tbody>
        {names.slice(0, ENTRIES_MAX).map(name => (
          <tr key={name}>
            {isMap && <th scope="row">{name}</th>}
            <td className="ink-3">{textIn(before, name, t)}</td>
            <td>{textIn(after, name, t)}</td>
          </tr>
        ))}
        {names.length > ENTRIES_MAX && (
          <tr>
            <td colSpan={3}>{t('revision.more_entries', { count: names.length - ENTRIES_MAX })}</td>
          </tr>
        )}
      </tbody>
    </table>
  )
}

/** A list is shown a line an item; what is absent or blank, as a dash. */
function textIn(values: Record<string, unknown>, name: string, t: Translate): string {
  const value = Object.hasOwn(values, name) ? values[name] : ''
  if (typeof value === 'boolean') return t(value ? 'settings.on' : 'settings.off')
  if (typeof value === 'string') return value || '–'
  if (Array.isArray(value) && value.every(item => typeof item === 'string')) return value.join('\n') || '–'
  return JSON.stringify(value)
}
