/** Drawer with the uses of a code: who, when, how much. */
import { Drawer } from '../../client/components/drawer.tsx'
import { At } from '../../client/components/moment.tsx'
import { Quota } from '../../client/components/money.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { Pager } from '../../client/components/pager.tsx'
import { type Column, Table } from '../../client/components/table.tsx'
import type { Listing } from '../../src/contracts/paging.ts'
import type { Redemption, RedemptionUse } from '../../src/contracts/redemption.ts'
import type { Translate } from '../../src/locales/index.ts'
import { usersAt } from '../users/view.ts'
import { CodeActions, CodeSwitch } from './code-actions.tsx'
import { type CodesView, codesAt } from './view.ts'

interface UsesProps {
  view: CodesView
  code: Redemption
  list: Listing<RedemptionUse>
}

export function Uses({ view, code, list: { items, page, page_size, total } }: UsesProps) {
  const { t } = usePageContext()
  const title = t('redemption.uses_of', { name: code.name })
  return (
    <>
      <Drawer title={title} close={codesAt(view)} wide>
        <CodeActions code={code} view={view} overlay="uses" />
        {total === 0 && <p className="help">{t('redemption.uses_none')}</p>}
        {total > 0 && (
          <>
            <Table
              label={title}
              columns={columnsOf(t)}
              rows={items}
              keyOf={use => `use-${use.user_id}`}
              nameOf={use => use.username}
            />
            <Pager page={page} size={page_size} total={total} hrefOf={lp => codesAt(view, { uses: code.id, lp })} />
          </>
        )}
      </Drawer>
      <CodeSwitch code={code} view={view} />
    </>
  )
}

/** The name leads to the user. */
const columnsOf = (t: Translate): Column<RedemptionUse>[] => [
  {
    id: 'user',
    head: t('redemption.user'),
    phone: 'title',
    cell: ({ username }) => <a href={usersAt({ keyword: username })}>{username}</a>,
  },
  { id: 'time', head: t('redemption.used_time'), phone: 'detail', cell: use => <At at={use.used_time} /> },
  {
    id: 'quota',
    head: t('redemption.quota'),
    phone: 'figure',
    number: true,
    cell: use => <Quota of={use.quota} />,
  },
]
