/** The conversations that the browser keeps: open, rename, delete and take back. */
import Pencil from 'lucide/dist/esm/icons/pencil.mjs'
import Trash from 'lucide/dist/esm/icons/trash.mjs'
import { useState } from 'react'
import { exact } from '../../src/pure/time.ts'
import { Empty } from '../components/empty.tsx'
import { Icon } from '../components/icon.tsx'
import { usePageContext } from '../components/page-context.tsx'
import type { PlaygroundConversation } from './conversation.ts'
import { usePlayground } from './session-context.tsx'

interface ConversationListProps {
  conversations: PlaygroundConversation[]
  current: string
  close: () => void
}

export function ConversationList({ conversations, current, close }: ConversationListProps) {
  const { t } = usePageContext()
  const { session } = usePlayground()
  const [deleted, setDeleted] = useState<PlaygroundConversation>()
  const remove = (conversation: PlaygroundConversation) => {
    session.remove(conversation.id)
    setDeleted(conversation)
  }
  return (
    <>
      <p className="help">{t('playground.kept_here')}</p>
      {deleted && (
        <p className="note" role="status">
          <span className="flex-1">{t('playground.deleted', { title: deleted.title })}</span>
          <button
            type="button"
            className="btn btn-ghost btn-sm"
            onClick={() => {
              session.restore(deleted)
              setDeleted(undefined)
            }}
          >
            {t('playground.undo')}
          </button>
        </p>
      )}
      {conversations.length === 0 && <Empty text={t('playground.no_conversations')} />}
      <ul className="conversations">
        {conversations.map(conversation => (
          <Row
            key={conversation.id}
            conversation={conversation}
            isCurrent={conversation.id === current}
            open={() => {
              session.open(conversation.id)
              close()
            }}
            remove={() => remove(conversation)}
          />
        ))}
      </ul>
    </>
  )
}

interface RowProps {
  conversation: PlaygroundConversation
  isCurrent: boolean
  open: () => void
  remove: () => void
}

const MS = 1000

function Row({ conversation: { id, title, changed_at, turns }, isCurrent, open, remove }: RowProps) {
  const { t, zone } = usePageContext()
  const { session } = usePlayground()
  const [renaming, setRenaming] = useState(false)
  const rename = (name: string) => {
    session.rename(id, name)
    setRenaming(false)
  }
  if (renaming) {
    return (
      <li>
        <input
          className="input flex-1"
          aria-label={t('playground.name')}
          defaultValue={title}
          autoFocus
          onBlur={({ target }) => rename(target.value)}
          onKeyDown={({ key, currentTarget }) => key === 'Enter' && rename(currentTarget.value)}
        />
      </li>
    )
  }
  return (
    <li>
      <button type="button" className="open" aria-current={isCurrent || undefined} onClick={open}>
        <b>{title || t('playground.picture')}</b>
        <small>
          {t('playground.messages', { count: turns.length, time: exact(Math.floor(changed_at / MS), zone) })}
        </small>
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label={t('playground.rename', { title })}
        onClick={() => setRenaming(true)}
      >
        <Icon of={Pencil} small />
      </button>
      <button type="button" className="icon-button" aria-label={t('playground.delete', { title })} onClick={remove}>
        <Icon of={Trash} small />
      </button>
    </li>
  )
}
