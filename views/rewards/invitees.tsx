/** Drawer with the users who registered by an invitation. */

import { Drawer } from '../../client/components/drawer.tsx'
import { At } from '../../client/components/moment.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { Pager } from '../../client/components/pager.tsx'
import { type Column, Table } from '../../client/components/table.tsx'
import type { Listing } from '../../src/contracts/paging.ts'
import type { Invitee } from '../../src/contracts/reward.ts'
import type { Translate } from '../../src/locales/index.ts'
import { meTabAt, rewardDialogAt } from '../me/view.ts'

export function Invitees({ list: { items, page, page_size, total } }: { list: Listing<Invitee> }) {
  const { t } = usePageContext()
  const title = t('reward.invitees_title')
  return (
    <Drawer title={title} close={meTabAt('rewards')}>
      {total === 0 && <p className="help">{t('reward.invitees_none')}</p>}
      {total > 0 && (
        <>
          <Table
            label={title}
            columns={columnsOf(t)}
            rows={items}
            keyOf={({ id }) => `invitee-${id}`}
            nameOf={({ name }) => name}
          />
          <Pager page={page} size={page_size} total={total} hrefOf={p => `${rewardDialogAt('invitees')}&p=${p}`} />
        </>
      )}
    </Drawer>
  )
}

const columnsOf = (t: Translate): Column<Invitee>[] => [
  { id: 'name', head: t('reward.invitee'), phone: 'title', cell: ({ name }) => name },
  { id: 'joined', head: t('reward.joined'), phone: 'figure', cell: ({ created_time }) => <At at={created_time} /> },
]
