/** The inbox: a list of messages with their beginnings. */

import CheckCheck from 'lucide/dist/esm/icons/check-check.mjs'
import { Empty } from '../../client/components/empty.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { Form } from '../../client/components/link.tsx'
import { Ago } from '../../client/components/moment.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { PageHead } from '../../client/components/page-head.tsx'
import { Pager } from '../../client/components/pager.tsx'
import { type Column, Table } from '../../client/components/table.tsx'
import type { InboxMessage } from '../../src/contracts/message.ts'
import { INBOX_PATH } from '../../src/contracts/message.ts'
import type { Listing } from '../../src/contracts/paging.ts'
import type { Translate } from '../../src/locales/index.ts'
import { inboxAt } from './view.ts'

type InboxRow = Pick<InboxMessage, 'id' | 'title' | 'created_time' | 'read_time'> & { preview: string }

export function Inbox({ list, unread }: { list: Listing<InboxRow>; unread: number }) {
  const { t } = usePageContext()
  const { items, page, page_size, total } = list
  return (
    <>
      <PageHead title={t('message.inbox')} small={total}>
        {unread > 0 && <MarkAllRead returnTo={inboxAt(page)} />}
      </PageHead>
      {total === 0 ? (
        <Empty drawing="slip" text={t('message.inbox_empty')} />
      ) : (
        <>
          <Table
            label={t('message.inbox')}
            columns={columnsOf(t)}
            rows={items}
            keyOf={message => message.id}
            nameOf={message => message.title}
            classOf={message => (message.read_time === null ? 'unread' : 'read')}
          />
          <Pager page={page} size={page_size} total={total} hrefOf={inboxAt} />
        </>
      )}
    </>
  )
}

/** Loads the whole page again: the bell in the top bar changes too. */
function MarkAllRead({ returnTo }: { returnTo: string }) {
  const { t } = usePageContext()
  return (
    <Form action={`${INBOX_PATH}/read`} returnTo={returnTo} fullPage className="contents">
      <button type="submit" className="btn">
        <Icon of={CheckCheck} />
        {t('message.mark_all_read')}
      </button>
    </Form>
  )
}

const columnsOf = (t: Translate): Column<InboxRow>[] => [
  {
    id: 'title',
    head: t('message.title'),
    phone: 'title',
    className: 'truncate sm:w-1/4 sm:max-w-64 min-[77rem]:max-w-88',
    cell: ({ id, title, read_time }) => (
      <a href={`${INBOX_PATH}/${id}`} title={title}>
        {read_time === null && <span className="sr-only">{t('message.unread')}: </span>}
        {title}
      </a>
    ),
  },
  {
    id: 'preview',
    head: t('message.preview'),
    phone: 'detail',
    className: 'truncate ink-2 sm:w-full sm:max-w-0',
    cell: message => message.preview,
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
