/** Users to choose as recipients, 20 a page, with a search. Ticks of other pages are kept in hidden fields. */
import SearchDrawing from 'lucide/dist/esm/icons/search.mjs'
import { Tag } from '../../client/components/badge.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { RichText } from '../../client/components/rich-text.tsx'
import type { Listing } from '../../src/contracts/paging.ts'
import { DrawerPager } from './drawer-pager.tsx'
import { type MessagesView, messagesAction } from './view.ts'

interface RecipientPickerProps {
  view: MessagesView
  users: Listing<{ id: number; username: string; display_name: string; group: string }>
  keyword: string
  /** Names by id. */
  chosen: Map<number, string>
}

/** Sends the form and replaces the picker; the latest request wins. */
const reload = (action: string) => ({
  'hx-post': action,
  'hx-target': '#recipient-picker',
  'hx-swap': 'outerMorph',
  'hx-sync': '#recipient-picker:replace',
})

export function RecipientPicker({ view, users, keyword, chosen }: RecipientPickerProps) {
  const { t } = usePageContext()
  const action = messagesAction(view, 'recipients', 'new')
  const shown = new Set(users.items.map(user => user.id))
  return (
    <div id="recipient-picker" className="grid gap-2">
      <span className="flex gap-2">
        <label className="input flex-1">
          <Icon of={SearchDrawing} className="ink-3" />
          <span className="sr-only">{t('message.find_users')}</span>
          <input
            type="search"
            id="user-keyword"
            name="user_keyword"
            defaultValue={keyword}
            placeholder={t('message.find_users')}
            autoComplete="off"
            spellCheck={false}
            hx-trigger="input changed delay:300ms"
            {...reload(action)}
          />
        </label>
        <button type="submit" className="btn" formAction={action} {...reload(action)}>
          {t('ui.search')}
        </button>
      </span>
      <input type="hidden" name="user_keyword_was" value={keyword} />
      <input type="hidden" name="user_page" value={users.page} />
      {[...chosen.keys()]
        .filter(id => !shown.has(id))
        .map(id => (
          <input key={id} type="hidden" name="user_ids[]" value={id} />
        ))}
      {users.items.length ? (
        <ul className="picker-users" hx-trigger="change" {...reload(action)}>
          {users.items.map(user => (
            <li key={user.id}>
              <label>
                <input
                  type="checkbox"
                  className="checkbox"
                  id={`recipient-${user.id}`}
                  name="user_ids[]"
                  value={user.id}
                  defaultChecked={chosen.has(user.id)}
                />
                <span className="truncate">
                  {user.username}
                  {user.display_name && user.display_name !== user.username && (
                    <span className="ink-3"> {user.display_name}</span>
                  )}
                </span>
                <Tag name={user.group} />
              </label>
            </li>
          ))}
        </ul>
      ) : (
        <p className="help m-0 py-2">{t('message.no_users')}</p>
      )}
      <PickerPages users={users} action={action} />
      <p className="m-0" role="status">
        <Chosen names={[...chosen.values()]} />
      </p>
    </div>
  )
}

const PickerPages = ({ users, action }: Pick<RecipientPickerProps, 'users'> & { action: string }) => (
  <DrawerPager
    list={users}
    step={({ to, className, label, icon }) => (
      <button
        type="submit"
        className={className}
        name="user_page"
        value={to}
        formAction={action}
        aria-label={label}
        {...reload(action)}
      >
        {icon}
      </button>
    )}
  />
)

const NAMED_MAX = 5

function Chosen({ names }: { names: string[] }) {
  const { t, language } = usePageContext()
  if (!names.length) return <span className="help">{t('message.none_chosen')}</span>
  const rest = names.length - NAMED_MAX
  const listed = new Intl.ListFormat(language, { type: 'conjunction' }).format(
    rest > 0 ? [...names.slice(0, NAMED_MAX), t('message.and_more', { count: rest })] : names,
  )
  return <RichText text={t('message.chosen', { count: names.length, names: listed })} />
}
