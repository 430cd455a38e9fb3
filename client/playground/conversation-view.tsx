/** The conversation. It follows the answers while its end is in sight. */
import { Fragment, useLayoutEffect, useRef } from 'react'
import { Empty } from '../components/empty.tsx'
import { usePageContext } from '../components/page-context.tsx'
import type { PlaygroundConversation } from './conversation.ts'
import { usePlayground } from './session-context.tsx'
import { TurnView } from './turn-view.tsx'

/** Pixels from the end within which the end counts as in sight. */
const NEAR = 48

export function ConversationView({ conversation }: { conversation: PlaygroundConversation }) {
  const { t } = usePageContext()
  const place = useRef<HTMLDivElement>(null)
  const follows = useRef(true)
  const { turns, context_from, id } = conversation
  // biome-ignore lint/correctness/useExhaustiveDependencies: after every change of the conversation
  useLayoutEffect(() => {
    if (follows.current && place.current) place.current.scrollTop = place.current.scrollHeight
  }, [turns])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation, or another message, shows its end
  useLayoutEffect(() => {
    follows.current = true
    if (place.current) place.current.scrollTop = place.current.scrollHeight
  }, [id, turns.length])
  return (
    <div
      className="talk"
      role="log"
      aria-live="polite"
      aria-label={t('playground.conversation')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
      tabIndex={0}
      ref={place}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        follows.current = scrollHeight - scrollTop - clientHeight < NEAR
      }}
    >
      {turns.length === 0 && <Empty text={t('playground.empty')} />}
      {turns.map((turn, index) => (
        <Fragment key={turn.id}>
          {index > 0 && index === context_from && <ContextCleared />}
          <TurnView turn={turn} />
        </Fragment>
      ))}
      {turns.length > 0 && context_from === turns.length && <ContextCleared undo />}
    </div>
  )
}

function ContextCleared({ undo }: { undo?: boolean }) {
  const { t } = usePageContext()
  const { session } = usePlayground()
  return (
    <div className="context-cleared">
      <span>{t('playground.context_cleared')}</span>
      {undo && (
        <button type="button" className="btn btn-ghost btn-sm" onClick={() => session.clearContext()}>
          {t('playground.undo')}
        </button>
      )}
    </div>
  )
}
