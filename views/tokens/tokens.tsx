/** The API keys page: head, filters, list. */

import CirclePause from 'lucide/dist/esm/icons/circle-pause.mjs'
import Copy from 'lucide/dist/esm/icons/copy.mjs'
import Plus from 'lucide/dist/esm/icons/plus.mjs'
import Trash2 from 'lucide/dist/esm/icons/trash.mjs'
import type { ReactNode } from 'react'
import { ColumnChoice } from '../../client/components/column-choice.tsx'
import { Empty, NoMatch } from '../../client/components/empty.tsx'
import { ExportLink } from '../../client/components/export-link.tsx'
import { Search } from '../../client/components/filters.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { Overlay, OverlayLink } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { PageHead } from '../../client/components/page-head.tsx'
import { Pager } from '../../client/components/pager.tsx'
import { BatchButton, SelectionBar } from '../../client/components/selection.tsx'
import { Table } from '../../client/components/table.tsx'
import type { ChatLink } from '../../src/contracts/chat.ts'
import type { Listing } from '../../src/contracts/paging.ts'
import type { GroupOffer } from '../../src/contracts/pricing.ts'
import type { Token } from '../../src/contracts/token.ts'
import { columnsOf, tokenColumns } from './columns.tsx'
import { RowActions } from './row-actions.tsx'
import { TOKENS_PATH, type TokensView, tokensAction, tokensAddress, tokensAt } from './view.ts'

export interface TokensProps {
  list: Listing<Token>
  view: TokensView
  /** Ids of hidden columns. */
  hidden: string[]
  /** Groups that the user may choose. */
  groups: Record<string, GroupOffer>
  ownGroup: string
  /** What a key can be opened in. */
  chats: ChatLink[]
  firstSteps?: ReactNode
  /** Drawer or dialog over the list. */
  overlay?: ReactNode
}

export function Tokens(props: TokensProps) {
  const { list, view, firstSteps, overlay } = props
  const { t } = usePageContext()
  const hasNone = list.total === 0 && !view.keyword
  return (
    <>
      <PageHead title={t('token.title')} small={list.total}>
        {list.total > 0 && <ExportLink href={tokensAddress.csv(view)} />}
        <OverlayLink className="btn btn-primary" href={tokensAt(view, 'new')}>
          <Icon of={Plus} />
          {t('token.create')}
        </OverlayLink>
      </PageHead>
      {firstSteps}
      <ListTools {...props} hasNone={hasNone} />
      {list.total > 0 && <TokenList {...props} />}
      {list.total === 0 && !(hasNone && firstSteps) && <NoTokens keyword={view.keyword} />}
      <Overlay>{overlay}</Overlay>
    </>
  )
}

/** Without tokens there is only the note. */
function ListTools({ view, hidden, hasNone }: TokensProps & { hasNone: boolean }) {
  const { t } = usePageContext()
  return (
    <div className="flex flex-wrap items-center gap-2 mb-3">
      {!hasNone && (
        <>
          <Search action={tokensAt({})} value={view.keyword} placeholder={t('token.search_hint')} />
          <ColumnChoice
            action={`${TOKENS_PATH}/columns`}
            choices={tokenColumns.choices(t)}
            hidden={hidden}
            returnTo={tokensAt(view)}
          />
          <span className="flex-1 wide-only" />
        </>
      )}
      <p className="help m-0 max-sm:w-full">{t('token.personal_use')}</p>
    </div>
  )
}

type TokenTableProps = Pick<TokensProps, 'list' | 'view' | 'hidden' | 'groups' | 'ownGroup' | 'chats'>

/** @param refresh replaces the rows of a page that the browser already shows */
export function TokenTable({ refresh, ...props }: TokenTableProps & { refresh?: boolean }) {
  const { list, view, hidden, groups, ownGroup, chats } = props
  const { t } = usePageContext()
  return (
    <div id="token-table" hx-swap-oob={refresh ? 'outerMorph' : undefined}>
      <Table
        label={t('token.title')}
        columns={columnsOf({ t, view, groups, ownGroup, hidden })}
        rows={list.items}
        keyOf={token => token.id}
        nameOf={token => token.name}
        selectable
        actions={token => <RowActions token={token} view={view} chats={chats} />}
      />
    </div>
  )
}

function TokenList(props: TokensProps) {
  const { t } = usePageContext()
  const { list, view } = props
  const { page, page_size, total } = list
  return (
    <>
      <TokenTable {...props} />
      <Pager page={page} size={page_size} total={total} hrefOf={page => tokensAt({ ...view, page })} />
      <SelectionBar action={tokensAction(view, 'selected')} returnTo={tokensAt(view)}>
        <BatchButton action="keys" icon={Copy} label={t('token.copy_keys')} />
        <BatchButton action="disable" icon={CirclePause} label={t('token.disable')} />
        <BatchButton action="delete" icon={Trash2} label={t('token.delete')} />
      </SelectionBar>
    </>
  )
}

function NoTokens({ keyword }: { keyword?: string }) {
  const { t } = usePageContext()
  if (keyword) {
    return (
      <NoMatch text={t('token.none_match', { keyword })} all={tokensAt({})}>
        {t('token.show_all')}
      </NoMatch>
    )
  }
  return (
    <Empty text={t('token.none')}>
      <OverlayLink className="btn btn-primary" href={tokensAt({}, 'new')}>
        <Icon of={Plus} />
        {t('token.create')}
      </OverlayLink>
    </Empty>
  )
}
