/** Dialog that deletes a message from every inbox. */
import { Confirm } from '../../client/components/drawer.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { SentMessage } from '../../src/contracts/message.ts'
import { grouped } from '../../src/pure/number.ts'
import { type MessagesView, messagesAction, messagesAt } from './view.ts'

export function ConfirmDelete({ view, message }: { view: MessagesView; message: SentMessage }) {
  const { t } = usePageContext()
  const { id, title, total_recipients } = message
  return (
    <Confirm
      title={t('message.delete_title', { title })}
      text={t('message.delete_text', { count: total_recipients, number: grouped(total_recipients) })}
      close={messagesAt(view)}
      action={messagesAction(view, `${id}/delete`)}
      submit={t('message.delete')}
    />
  )
}
