/** Recipients of a sent message and when they read it, 10 a page. */
import { State } from '../../client/components/badge.tsx'
import { At } from '../../client/components/moment.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { MessageRecipient } from '../../src/contracts/message.ts'
import type { Listing } from '../../src/contracts/paging.ts'
import { DrawerPager } from './drawer-pager.tsx'
import { type MessagesView, messagesAction, messagesAt } from './view.ts'

interface ReadersProps {
  view: MessagesView
  message_id: number
  list: Listing<MessageRecipient>
}

export function Readers({ view, message_id, list }: ReadersProps) {
  const { t } = usePageContext()
  return (
    <div id="message-readers">
      <table className="ledger plain" aria-label={t('message.recipients')}>
        <thead>
          <tr>
            <th className="tight" scope="col">
              {t('message.user')}
            </th>
            <th scope="col">{t('message.read')}</th>
          </tr>
        </thead>
        <tbody>
          {list.items.map(({ user_id, username, display_name, read_time }) => (
            <tr key={user_id}>
              <td className="tight truncate w-full max-w-0">
                <b>{username}</b>
                {display_name && display_name !== username && <span className="ink-3"> {display_name}</span>}
              </td>
              <td>
                <State tone={read_time === null ? 'fact' : 'open'}>
                  {read_time === null ? t('message.unread') : <At at={read_time} />}
                </State>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <ReaderPages view={view} message_id={message_id} list={list} />
    </div>
  )
}

/** Without JavaScript the whole page is loaded; with it the fields of the drawer keep what was typed. */
function ReaderPages({ view, message_id, list }: ReadersProps) {
  return (
    <DrawerPager
      list={list}
      step={({ to, className, label, icon }) => (
        <a
          className={className}
          href={messagesAt(view, { edit: message_id, recipients: to })}
          hx-get={messagesAction({}, `${message_id}/recipients?recipients=${to}`)}
          hx-target="#message-readers"
          hx-swap="outerMorph"
          hx-sync="#message-readers:replace"
          aria-label={label}
        >
          {icon}
        </a>
      )}
    />
  )
}
