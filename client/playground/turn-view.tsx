/** A message of the user with its answers, and what can be done with both. */
import Pencil from 'lucide/dist/esm/icons/pencil.mjs'
import RotateCw from 'lucide/dist/esm/icons/rotate-cw.mjs'
import Trash from 'lucide/dist/esm/icons/trash.mjs'
import { memo, useState } from 'react'
import { Copy } from '../components/copy.tsx'
import { Icon } from '../components/icon.tsx'
import { usePageContext } from '../components/page-context.tsx'
import { AnswerView } from './answer-view.tsx'
import { type Exchange, isRunning } from './conversation.ts'
import { usePlayground } from './session-context.tsx'

export const TurnView = memo(({ turn }: { turn: Exchange }) => {
  const { t } = usePageContext()
  const { answers } = turn
  const several = answers.length > 1
  return (
    <>
      <Message turn={turn} />
      <div className={several ? 'answers side-by-side' : 'answers'}>
        {answers.map((answer, place) => (
          <article key={answer.id} className="turn">
            <h2 className="author">{several ? answer.model : t('playground.answer')}</h2>
            <AnswerView answer={answer} />
            {!isRunning(answer) && (
              <div className="turn-actions">
                {answer.text && <Copy text={answer.text} label={t('playground.copy_answer')} />}
                {place === 0 && <Retry turn={turn} />}
              </div>
            )}
          </article>
        ))}
      </div>
    </>
  )
})

function Message({ turn }: { turn: Exchange }) {
  const { t } = usePageContext()
  const { session } = usePlayground()
  const [editing, setEditing] = useState(false)
  const { text, images } = turn
  return (
    <article className="turn">
      <h2 className="author">{t('playground.you')}</h2>
      {editing ? (
        <MessageForm turn={turn} close={() => setEditing(false)} />
      ) : (
        <div className="question-text">
          {text}
          {images.length > 0 && (
            <span className="attached">
              {images.map((url, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: pictures of a message stay
                <img key={index} src={url} alt={t('playground.picture')} />
              ))}
            </span>
          )}
        </div>
      )}
      {!editing && (
        <div className="turn-actions">
          <button
            type="button"
            className="icon-button"
            aria-label={t('playground.edit')}
            title={t('playground.edit')}
            onClick={() => setEditing(true)}
          >
            <Icon of={Pencil} small />
          </button>
          <button
            type="button"
            className="icon-button"
            aria-label={t('playground.delete_message')}
            title={t('playground.delete_message')}
            onClick={() => session.removeTurn(turn.id)}
          >
            <Icon of={Trash} small />
          </button>
        </div>
      )}
    </article>
  )
}

function MessageForm({ turn: { id, text, images }, close }: { turn: Exchange; close: () => void }) {
  const { t } = usePageContext()
  const { session, chosen } = usePlayground()
  const [draft, setDraft] = useState(text)
  const canSend = (draft.trim() !== '' || images.length > 0) && chosen.length > 0
  const send = () => {
    close()
    session.resend(
      id,
      draft,
      chosen.map(({ name }) => name),
    )
  }
  return (
    <form
      className="message-form"
      onSubmit={event => {
        event.preventDefault()
        if (canSend) send()
      }}
    >
      <textarea
        className="textarea"
        aria-label={t('playground.message')}
        value={draft}
        autoFocus
        onChange={event => setDraft(event.target.value)}
        onKeyDown={event => event.key === 'Escape' && close()}
      />
      <div className="flex gap-2">
        <button type="submit" className="btn btn-primary btn-sm" disabled={!canSend}>
          {t('playground.resend')}
        </button>
        <button type="button" className="btn btn-ghost btn-sm" onClick={close}>
          {t('ui.cancel')}
        </button>
      </div>
    </form>
  )
}

function Retry({ turn }: { turn: Exchange }) {
  const { t } = usePageContext()
  const { session, chosen } = usePlayground()
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={t('playground.retry')}
      title={t('playground.retry')}
      disabled={!chosen.length}
      onClick={() =>
        session.retry(
          turn.id,
          chosen.map(({ name }) => name),
        )
      }
    >
      <Icon of={RotateCw} small />
    </button>
  )
}
