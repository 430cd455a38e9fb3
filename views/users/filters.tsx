/** Filters of the user list: a search field, and who is shown as a sentence. */
import { SelectField, TextField } from '../../client/components/field.tsx'
import {
  Filters,
  HiddenFields,
  PickSelect,
  PickText,
  Search,
  Sentence,
  SheetSelect,
} from '../../client/components/filters.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { MONEY_SIGN } from '../../src/billing/quota.ts'
import { Role } from '../../src/contracts/account.ts'
import { USERS_PATH, userSorts, userStates } from '../../src/contracts/user.ts'
import type { MessageKey, Translate } from '../../src/locales/index.ts'
import { roleName } from './state.tsx'
import type { UsersView } from './view.ts'

interface UserFiltersProps {
  view: UsersView
  groups: string[]
}

export function UserFilters({ view, groups }: UserFiltersProps) {
  const { t, currency } = usePageContext()
  const { page, keyword, sort, ...filters } = view
  const { group, state, role, below } = filters
  const options = optionsOf(t, groups)
  const amount = <PickText name="below" label={t('user.below')} any={t('user.any_balance')} value={below} />
  return (
    <>
      <Search action={USERS_PATH} value={keyword} placeholder={t('user.search_hint')}>
        <HiddenFields of={{ ...filters, role: roleText(role), sort }} />
      </Search>
      <Filters
        action={USERS_PATH}
        count={[group, state, role, below].filter(value => value !== undefined).length}
        sheet={<FilterSheet view={view} groups={groups} />}
      >
        <HiddenFields of={{ keyword, sort }} />
        <Sentence
          text={t('user.sentence')}
          controls={{
            role: <PickSelect name="role" label={t('user.role')} options={options.role} value={roleText(role)} />,
            group: <PickSelect name="group" label={t('user.group')} options={options.group} value={group} />,
            state: <PickSelect name="state" label={t('user.state')} options={options.state} value={state} />,
            below: currency.display_in_currency ? (
              <span className="inline-flex items-center gap-1">
                {MONEY_SIGN}
                {amount}
              </span>
            ) : (
              amount
            ),
          }}
        />
      </Filters>
    </>
  )
}

/** As fields, for phones: these have no headings to sort by. */
function FilterSheet({ view: { keyword, group, state, role, below, sort }, groups }: UserFiltersProps) {
  const { t, currency } = usePageContext()
  const options = optionsOf(t, groups)
  const sorts = userSorts.map(value => ({ value, label: t(sortNames[value]) }))
  return (
    <>
      <HiddenFields of={{ keyword }} />
      <SheetSelect name="role" id="sheet-role" label={t('user.role')} options={options.role} value={roleText(role)} />
      <SheetSelect name="group" id="sheet-group" label={t('user.group')} options={options.group} value={group} />
      <SheetSelect name="state" id="sheet-state" label={t('user.state')} options={options.state} value={state} />
      <TextField
        name="below"
        id="sheet-below"
        label={t('user.below')}
        unit={currency.display_in_currency ? 'USD' : t('user.quota_unit')}
        number
        inputMode="decimal"
        autoComplete="off"
        value={below}
      />
      <SelectField
        name="sort"
        id="sheet-sort"
        label={t('user.sort')}
        options={[{ value: '', label: t('user.newest_first') }, ...sorts]}
        value={sort}
      />
    </>
  )
}

const roleText = (role: number | undefined) => (role === undefined ? undefined : String(role))

const stateNames = { enabled: 'user.enabled', banned: 'user.banned', gone: 'user.gone' } as const

const sortNames: Record<(typeof userSorts)[number], MessageKey> = {
  spent: 'user.spent_most',
  '-spent': 'user.spent_least',
  left: 'user.left_most',
  '-left': 'user.left_least',
  calls: 'user.calls_most',
  '-calls': 'user.calls_least',
  seen: 'user.seen_latest',
  '-seen': 'user.seen_longest_ago',
}

/** The first of each means any. */
const optionsOf = (t: Translate, groups: string[]) => ({
  role: [
    { value: '', label: t('user.any_role') },
    ...[Role.user, Role.admin, Role.root].map(role => ({ value: String(role), label: roleName(role, t) })),
  ],
  group: [{ value: '', label: t('user.any_group') }, ...groups.map(name => ({ value: name, label: name }))],
  state: [
    { value: '', label: t('user.any_state') },
    ...userStates.map(state => ({ value: state, label: t(stateNames[state]) })),
  ],
})
