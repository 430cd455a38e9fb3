/** The page of sent messages, for administrators. */
import PenLine from 'lucide/dist/esm/icons/pen-line.mjs'
import type { ReactNode } from 'react'
import { Empty, NoMatch } from '../../client/components/empty.tsx'
import { ExportLink } from '../../client/components/export-link.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { Overlay, OverlayLink } from '../../client/components/link.tsx'
import { Ago } from '../../client/components/moment.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { PageHead } from '../../client/components/page-head.tsx'
import { Pager } from '../../client/components/pager.tsx'
import { type Column, Table } from '../../client/components/table.tsx'
import type { SentMessage } from '../../src/contracts/message.ts'
import type { Listing } from '../../src/contracts/paging.ts'
import type { Translate } from '../../src/locales/index.ts'
import { grouped, percent } from '../../src/pure/number.ts'
import { MessageFilters } from './filters.tsx'
import { FormatTag } from './message.tsx'
import { MESSAGES_PATH, type MessagesView, messagesAddress, messagesAt } from './view.ts'

interface MessagesProps {
  list: Listing<SentMessage>
  view: MessagesView
  /** Drawer or dialog over the list. */
  overlay?: ReactNode
}

export function SentMessages({ list: { items, page, page_size, total }, view, overlay }: MessagesProps) {
  const { t } = usePageContext()
  const isFiltered = Boolean(view.keyword || view.range)
  return (
    <>
      <PageHead title={t('message.messages')} small={total}>
        {total > 0 && <ExportLink href={messagesAddress.csv(view)} />}
        <WriteMessage view={view} />
      </PageHead>
      {(total > 0 || isFiltered) && <MessageFilters view={view} />}
      {total === 0 ? (
        <NoMessages isFiltered={isFiltered} />
      ) : (
        <>
          <Table
            label={t('message.messages')}
            columns={columnsOf(t, view)}
            rows={items}
            keyOf={message => message.id}
            nameOf={message => message.title}
            actions={message => <RowActions message={message} view={view} />}
          />
          <Pager page={page} size={page_size} total={total} hrefOf={page => messagesAt({ ...view, page })} />
        </>
      )}
      <Overlay>{overlay}</Overlay>
    </>
  )
}

function WriteMessage({ view }: { view: MessagesView }) {
  const { t } = usePageContext()
  return (
    <OverlayLink className="btn btn-primary" href={messagesAt(view, 'new')}>
      <Icon of={PenLine} />
      {t('message.create')}
    </OverlayLink>
  )
}

const columnsOf = (t: Translate, view: MessagesView): Column<SentMessage>[] => [
  {
    id: 'title',
    head: t('message.title'),
    phone: 'title',
    className: 'truncate sm:w-full sm:max-w-0',
    cell: ({ id, title }) => (
      <OverlayLink href={messagesAt(view, { edit: id })} title={title}>
        {title}
      </OverlayLink>
    ),
  },
  {
    id: 'format',
    head: t('message.format'),
    optional: true,
    cell: ({ format }) => <FormatTag format={format} />,
  },
  {
    id: 'recipients',
    head: t('message.recipients'),
    phone: 'detail',
    cell: message => <Read message={message} />,
  },
  {
    id: 'sent',
    head: t('message.sent'),
    number: true,
    phone: 'figure',
    className: 'ink-2',
    cell: message => <Ago at={message.created_time} />,
  },
]

/** How many have read, as a bar and in numbers. */
function Read({ message: { read_count, total_recipients } }: { message: SentMessage }) {
  const { t } = usePageContext()
  const share = percent(read_count, total_recipients)
  return (
    <span className="inline-flex items-center gap-3 align-middle" title={share}>
      <span className="meter w-20 wide-only" aria-hidden="true">
        <i style={{ width: share }} />
      </span>
      {t('message.read_of', { read: grouped(read_count), total: grouped(total_recipients) })}
    </span>
  )
}

function RowActions({ message: { id, title }, view }: { message: SentMessage; view: MessagesView }) {
  const { t } = usePageContext()
  return (
    <>
      <OverlayLink
        className="btn btn-ghost btn-sm"
        href={messagesAt(view, { edit: id })}
        aria-label={t('message.edit_named', { title })}
      >
        {t('message.edit')}
      </OverlayLink>
      <OverlayLink
        className="btn btn-ghost btn-sm"
        href={messagesAt(view, { delete: id })}
        aria-label={t('message.delete_named', { title })}
      >
        {t('message.delete')}
      </OverlayLink>
    </>
  )
}

function NoMessages({ isFiltered }: { isFiltered: boolean }) {
  const { t } = usePageContext()
  if (!isFiltered)
    return (
      <Empty text={t('message.none')}>
        <WriteMessage view={{}} />
      </Empty>
    )
  return (
    <NoMatch text={t('message.none_match')} all={MESSAGES_PATH}>
      {t('message.show_all')}
    </NoMatch>
  )
}
