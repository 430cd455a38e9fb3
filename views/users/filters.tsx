/** Filters of the user list: a search field and a group. */
import { Filters, HiddenFields, PickSelect, Search, Sentence, SheetSelect } from '../../client/components/filters.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { USERS_PATH } from '../../src/contracts/user.ts'
import type { UsersView } from './view.ts'

export function UserFilters({ view: { keyword, group }, groups }: { view: UsersView; groups: string[] }) {
  const { t } = usePageContext()
  const label = t('user.group')
  const options = [{ value: '', label: t('user.any_group') }, ...groups.map(name => ({ value: name, label: name }))]
  const sheet = (
    <>
      <HiddenFields of={{ keyword }} />
      <SheetSelect name="group" id="sheet-group" label={label} options={options} value={group} />
    </>
  )
  return (
    <>
      <Search action={USERS_PATH} value={keyword} placeholder={t('user.search_hint')}>
        <HiddenFields of={{ group }} />
      </Search>
      <Filters action={USERS_PATH} count={group ? 1 : 0} sheet={sheet}>
        <HiddenFields of={{ keyword }} />
        <Sentence
          text={t('user.sentence')}
          controls={{ group: <PickSelect name="group" label={label} options={options} value={group} /> }}
        />
      </Filters>
    </>
  )
}
