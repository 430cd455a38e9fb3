/** Menu of a table's columns; a cookie keeps the choice. Phones have none: their cards show the same facts always. */
import Columns3 from 'lucide/dist/esm/icons/columns-3.mjs'
import type { MessageKey, Translate } from '../../src/locales/index.ts'
import { Icon } from './icon.tsx'
import { Form } from './link.tsx'
import { Menu } from './menu.tsx'
import { usePageContext } from './page-context.tsx'

/**
 * Columns that a reader can hide, in order, with their headings.
 * @param cookie holds the hidden ones
 * @param no_room class, by id, of the hint that the window is too narrow for the column: it hides the hint on wider ones
 */
export const optionalColumns = <Id extends string>(
  cookie: string,
  headings: Record<Id, MessageKey>,
  no_room: Partial<Record<Id, string>> = {},
) => {
  const ids = Object.keys(headings) as Id[]
  const choices = (t: Translate) => ids.map(id => ({ id, label: t(headings[id]), no_room: no_room[id] }))
  return { cookie, ids, choices }
}

interface ColumnOption {
  id: string
  label: string
  no_room?: string
}

interface ColumnChoiceProps {
  /** POST path; the ticked ids are sent as `columns[]`. */
  action: string
  choices: ColumnOption[]
  hidden: string[]
  returnTo: string
}

export function ColumnChoice({ action, choices, hidden, returnTo }: ColumnChoiceProps) {
  const { t } = usePageContext()
  const button = (
    <>
      <Icon of={Columns3} />
      {t('ui.columns')}
    </>
  )
  return (
    <Menu id="columns" label={t('ui.columns')} button={button} className="btn wide-only">
      <Form action={action} returnTo={returnTo} hx-trigger="change" className="grid gap-1 p-2">
        {choices.map(({ id, label, no_room }) => (
          <label key={id} className="flex items-center gap-2 pr-6 h-7">
            <input
              type="checkbox"
              className="checkbox"
              name="columns[]"
              value={id}
              defaultChecked={!hidden.includes(id)}
            />
            {label}
            {no_room && <small className={`ink-3 ${no_room}`}>{t('ui.no_room')}</small>}
          </label>
        ))}
        <noscript>
          <button type="submit">{t('ui.save')}</button>
        </noscript>
      </Form>
    </Menu>
  )
}
