/** The redemption codes page: head, filters, list. */
import CirclePause from 'lucide/dist/esm/icons/circle-pause.mjs'
import Copy from 'lucide/dist/esm/icons/copy.mjs'
import Download from 'lucide/dist/esm/icons/download.mjs'
import Ellipsis from 'lucide/dist/esm/icons/ellipsis.mjs'
import Plus from 'lucide/dist/esm/icons/plus.mjs'
import TextSearch from 'lucide/dist/esm/icons/text-search.mjs'
import Trash2 from 'lucide/dist/esm/icons/trash.mjs'
import type { ReactNode } from 'react'
import { Empty, NoMatch } from '../../client/components/empty.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { Overlay, OverlayLink, overlayRequest } from '../../client/components/link.tsx'
import { Menu, MenuLink } from '../../client/components/menu.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { PageHead } from '../../client/components/page-head.tsx'
import { Pager } from '../../client/components/pager.tsx'
import { BatchButton, SelectionBar } from '../../client/components/selection.tsx'
import { Table } from '../../client/components/table.tsx'
import type { Listing } from '../../src/contracts/paging.ts'
import { isUsedUp, type Redemption } from '../../src/contracts/redemption.ts'
import { CodeColumns, columnsOf } from './columns.tsx'
import { CodeFilters } from './filters.tsx'
import { RowActions } from './row-actions.tsx'
import { type CodesView, codesAction, codesAddress, codesAt } from './view.ts'

interface RedemptionProps {
  list: Listing<Redemption>
  view: CodesView
  /** Ids of hidden columns. */
  hidden: string[]
  /** Drawer or dialog over the list. */
  overlay?: ReactNode
}

export function RedemptionPage({ list, view, hidden, overlay }: RedemptionProps) {
  const { t } = usePageContext()
  const hasNone = list.total === 0 && !view.keyword && !view.state
  return (
    <>
      <PageHead title={t('redemption.title')} small={list.total}>
        {!hasNone && <Cleanup view={view} />}
        <OverlayLink className="btn btn-primary" href={codesAt(view, 'new')}>
          <Icon of={Plus} />
          {t('redemption.create')}
        </OverlayLink>
      </PageHead>
      {!hasNone && (
        <div className="flex flex-wrap items-center gap-2 mb-3 *:!mb-0">
          <CodeFilters view={view} />
          <CodeColumns hidden={hidden} returnTo={codesAt(view)} />
        </div>
      )}
      {list.total > 0 && <CodeList list={list} view={view} hidden={hidden} />}
      {list.total === 0 && <NoCodes view={view} />}
      <Overlay>{overlay}</Overlay>
    </>
  )
}

/** Export, and what deletes many codes at once. */
function Cleanup({ view }: { view: CodesView }) {
  const { t } = usePageContext()
  const named = codesAt(view, 'delete_named')
  const disabled = codesAt(view, 'delete_disabled')
  return (
    <Menu id="cleanup" label={t('ui.actions')} button={<Icon of={Ellipsis} />} className="btn !px-3">
      <a href={codesAddress.csv(view)} download>
        <Icon of={Download} />
        {t('redemption.export')}
      </a>
      <MenuLink icon={TextSearch} danger href={named} {...overlayRequest(named)}>
        {t('redemption.delete_named')}
      </MenuLink>
      <MenuLink icon={Trash2} danger href={disabled} {...overlayRequest(disabled)}>
        {t('redemption.delete_disabled')}
      </MenuLink>
    </Menu>
  )
}

function CodeList({ list, view, hidden }: RedemptionProps) {
  const { t } = usePageContext()
  const { items, page, page_size, total } = list
  return (
    <>
      <Table
        label={t('redemption.title')}
        columns={columnsOf({ t, view, hidden })}
        rows={items}
        keyOf={code => code.id}
        nameOf={code => code.name}
        classOf={code => (isUsedUp(code) ? 'used-up' : undefined)}
        selectable
        actions={code => <RowActions code={code} view={view} />}
      />
      <Pager page={page} size={page_size} total={total} hrefOf={page => codesAt({ ...view, page })} />
      <SelectionBar action={codesAction(view, 'selected')} returnTo={codesAt(view)}>
        <BatchButton action="copy" icon={Copy} label={t('redemption.copy_codes')} />
        <BatchButton action="disable" icon={CirclePause} label={t('redemption.disable')} />
        <BatchButton action="delete" icon={Trash2} label={t('redemption.delete')} />
      </SelectionBar>
    </>
  )
}

function NoCodes({ view: { keyword, state } }: { view: CodesView }) {
  const { t } = usePageContext()
  if (keyword || state)
    return (
      <NoMatch
        text={keyword ? t('redemption.none_match', { keyword }) : t('redemption.none_in_state')}
        all={codesAt({})}
      >
        {t('redemption.show_all')}
      </NoMatch>
    )
  return (
    <Empty text={t('redemption.none')}>
      <OverlayLink className="btn btn-primary" href={codesAt({}, 'new')}>
        <Icon of={Plus} />
        {t('redemption.create')}
      </OverlayLink>
    </Empty>
  )
}
