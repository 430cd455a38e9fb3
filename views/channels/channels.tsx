/** The channel page. */
import Activity from 'lucide-react/icons/activity'
import Plus from 'lucide-react/icons/plus'
import Route from 'lucide-react/icons/route'
import type { ReactNode } from 'react'
import { Empty } from '../../client/components/empty.tsx'
import { ExportLink } from '../../client/components/export-link.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { ActionButton, PageLink } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { PageHead } from '../../client/components/page-head.tsx'
import { Pager } from '../../client/components/pager.tsx'
import { Table } from '../../client/components/table.tsx'
import type { Listing } from '../../src/contracts/paging.ts'
import type { ChannelListItem } from '../../src/domain/channels/index.ts'
import { columnsOf } from './columns.tsx'
import { ChannelFilters, countOf } from './filters.tsx'
import { ROUTES_PATH } from './route-view.ts'
import { RowActions } from './row-actions.tsx'
import { type ChannelsView, channelsAt, exportChannelsAt, TEST_ALL_PATH } from './view.ts'

export interface ChannelsProps {
  list: Listing<ChannelListItem>
  view: ChannelsView
  /** All groups. */
  groups: string[]
  /** Drawer or dialog over the list. */
  over?: ReactNode
}

export function Channels({ list, view, groups, over }: ChannelsProps) {
  const { t } = usePageContext()
  const hasNone = list.total === 0 && !view.keyword && !countOf(view)
  return (
    <>
      <PageHead title={t('channel.title')} small={list.total}>
        {list.total > 0 && <ExportLink href={exportChannelsAt(view)} />}
        {list.total > 0 && <RouteFinderLink />}
        {list.total > 0 && <TestAll view={view} />}
        <AddChannel view={view} />
      </PageHead>
      {!hasNone && <ChannelFilters view={view} groups={groups} />}
      {list.total === 0 ? (
        <NoChannels hasNone={hasNone} />
      ) : (
        <>
          <Table
            label={t('channel.title')}
            columns={columnsOf(t, view)}
            rows={list.items}
            keyOf={channel => channel.id}
            nameOf={channel => channel.name}
            actions={channel => <RowActions channel={channel} view={view} />}
            dense
            tall
          />
          <Pager
            page={list.page}
            size={list.page_size}
            total={list.total}
            hrefOf={page => channelsAt({ ...view, page })}
          />
        </>
      )}
      {over}
    </>
  )
}

function RouteFinderLink() {
  const { t } = usePageContext()
  return (
    <PageLink href={ROUTES_PATH} className="btn max-sm:!px-3" aria-label={t('route.title')}>
      <Icon of={Route} />
      <span className="wide-only">{t('route.title')}</span>
    </PageLink>
  )
}

function TestAll({ view }: { view: ChannelsView }) {
  const { t } = usePageContext()
  return (
    <ActionButton
      action={TEST_ALL_PATH}
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
    <PageLink className="btn btn-primary" href={channelsAt(view, 'new')}>
      <Icon of={Plus} />
      {t('channel.add')}
    </PageLink>
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
    <Empty art="slip" text={t('channel.none_match')}>
      <PageLink className="btn" href={channelsAt({})}>
        {t('channel.show_all')}
      </PageLink>
    </Empty>
  )
}
