/** The channels page: head, filters, list. */

import Activity from 'lucide/dist/esm/icons/activity.mjs'
import CirclePause from 'lucide/dist/esm/icons/circle-pause.mjs'
import CirclePlay from 'lucide/dist/esm/icons/circle-play.mjs'
import Plus from 'lucide/dist/esm/icons/plus.mjs'
import TagDrawing from 'lucide/dist/esm/icons/tag.mjs'
import Trash2 from 'lucide/dist/esm/icons/trash.mjs'
import type { ReactNode } from 'react'
import { ColumnChoice } from '../../client/components/column-choice.tsx'
import { Empty, NoMatch } from '../../client/components/empty.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { ActionButton, Overlay, OverlayLink, RowForm } from '../../client/components/link.tsx'
import { RowMenu } from '../../client/components/menu.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { PageHead } from '../../client/components/page-head.tsx'
import { Pager } from '../../client/components/pager.tsx'
import { BatchButton, SelectionBar } from '../../client/components/selection.tsx'
import { Table } from '../../client/components/table.tsx'
import { CHANNELS_PATH } from '../../src/contracts/channel.ts'
import type { Listing } from '../../src/contracts/paging.ts'
import { channelColumns, columnsOf } from './columns.tsx'
import { ChannelFilters, countOf } from './filters.tsx'
import { ListMenu, TagSwitch } from './list-menu.tsx'
import { isTagRow, keyOfRow, type ListRow, nameOfRow } from './row.ts'
import { RowActions } from './row-actions.tsx'
import { type ChannelsView, channelsAction, channelsAt } from './view.ts'

export interface ChannelsProps {
  list: Listing<ListRow>
  /** Number of all channels that match, in a list by tag too. */
  count: number
  view: ChannelsView
  /** All groups. */
  groups: string[]
  /** Ids of hidden columns. */
  hidden: string[]
  byTag: boolean
  byId: boolean
  /** Drawer or dialog over the list. */
  overlay?: ReactNode
}

export function Channels(props: ChannelsProps) {
  const { list, count, view, byId, byTag, overlay } = props
  const { t } = usePageContext()
  const hasNone = list.total === 0 && !view.keyword && !countOf(view)
  return (
    <>
      <PageHead title={t('channel.title')} small={count}>
        {list.total > 0 && <TestAll view={view} />}
        {!hasNone && <ListMenu view={view} byId={byId} byTag={byTag} />}
        <AddChannel view={view} />
      </PageHead>
      {!hasNone && <ListTools {...props} />}
      {list.total === 0 ? <NoChannels hasNone={hasNone} /> : <ChannelList {...props} />}
      <RowForm action={CHANNELS_PATH} returnTo={channelsAt(view)} />
      <Overlay>{overlay}</Overlay>
    </>
  )
}

function ListTools({ view, groups, hidden, byTag }: ChannelsProps) {
  const { t } = usePageContext()
  return (
    <ChannelFilters view={view} groups={groups}>
      <span className="wide-only flex items-center gap-3 ml-auto">
        <TagSwitch view={view} byTag={byTag} />
        <ColumnChoice
          action={channelsAction('columns')}
          choices={channelColumns.choices(t)}
          hidden={hidden}
          returnTo={channelsAt(view)}
        />
      </span>
    </ChannelFilters>
  )
}

function ChannelList({ list, view, hidden }: ChannelsProps) {
  const { t } = usePageContext()
  return (
    <>
      <Table
        label={t('channel.title')}
        columns={columnsOf(t, view, hidden)}
        rows={list.items}
        keyOf={keyOfRow}
        nameOf={nameOfRow}
        classOf={row => (isTagRow(row) ? 'group' : undefined)}
        selectable
        isFixed={isTagRow}
        actions={row => <RowActions row={row} view={view} />}
        dense
        tall
      />
      <Pager
        page={list.page}
        size={list.page_size}
        total={list.total}
        hrefOf={page => channelsAt({ ...view, page, open: undefined })}
      />
      <RowMenu />
      <SelectionBar action={channelsAction('selected', view)} returnTo={channelsAt(view)}>
        <BatchButton action="tag" icon={TagDrawing} label={t('channel.set_tag')} />
        <BatchButton action="test" icon={Activity} label={t('channel.test')} />
        <BatchButton action="enable" icon={CirclePlay} label={t('channel.enable')} />
        <BatchButton action="disable" icon={CirclePause} label={t('channel.disable')} />
        <BatchButton action="delete" icon={Trash2} label={t('channel.delete')} />
      </SelectionBar>
    </>
  )
}

function TestAll({ view }: { view: ChannelsView }) {
  const { t } = usePageContext()
  return (
    <ActionButton
      action={channelsAction('test', view)}
      returnTo={channelsAt(view)}
      className="btn max-sm:!px-3"
      aria-label={t('channel.test_all')}
    >
      <Icon of={Activity} />
      <span className="wide-only">{t('channel.test_all')}</span>
    </ActionButton>
  )
}

function AddChannel({ view }: { view: ChannelsView }) {
  const { t } = usePageContext()
  return (
    <OverlayLink className="btn btn-primary" href={channelsAt(view, 'new')}>
      <Icon of={Plus} />
      {t('channel.add')}
    </OverlayLink>
  )
}

function NoChannels({ hasNone }: { hasNone: boolean }) {
  const { t } = usePageContext()
  if (hasNone) {
    return (
      <Empty text={t('channel.none')}>
        <AddChannel view={{}} />
      </Empty>
    )
  }
  return (
    <NoMatch text={t('channel.none_match')} all={channelsAt({})}>
      {t('channel.show_all')}
    </NoMatch>
  )
}
