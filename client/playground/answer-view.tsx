/** An answer: its thinking folded, its text, its error, and the line below. */
import { memo, useState } from 'react'
import { Copy } from '../components/copy.tsx'
import { ErrorText } from '../components/field.tsx'
import { usePageContext } from '../components/page-context.tsx'
import { AnswerLine } from './answer-line.tsx'
import { type Answer, isRunning } from './conversation.ts'
import { Markdown } from './markdown.tsx'

export const AnswerView = memo(({ answer }: { answer: Answer }) => {
  const { t } = usePageContext()
  const { state, text, thinking } = answer
  const streaming = isRunning(answer)
  return (
    <div className="answer-text" aria-busy={streaming || undefined}>
      {thinking && <Thinking text={thinking} streaming={streaming && !text} />}
      <div className={streaming ? 'markdown writing' : 'markdown'}>
        <Markdown text={text} streaming={streaming} />
      </div>
      {state === 'complete' && !text && <p className="ink-3">{t('playground.empty_answer')}</p>}
      {state === 'stopped' && <p className="ink-3">{t('playground.stopped')}</p>}
      {state === 'error' && <Failure answer={answer} />}
      <AnswerLine answer={answer} />
    </div>
  )
})

/** Read only when it is opened. */
function Thinking({ text, streaming }: { text: string; streaming: boolean }) {
  const { t } = usePageContext()
  const [open, setOpen] = useState(false)
  return (
    <details className="thinking" open={open} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{t(streaming ? 'playground.thinking' : 'playground.thoughts')}</summary>
      {open && (
        <div className="markdown">
          <Markdown text={text} streaming={streaming} />
        </div>
      )}
    </details>
  )
}

const reasons = {
  expired: 'playground.expired',
  unreachable: 'playground.unreachable',
  broken: 'playground.broken',
} as const

const isReason = (text: string): text is keyof typeof reasons => Object.hasOwn(reasons, text)

/** The request id at the end of an error has a button of its own. */
const withoutId = (text: string) => text.replace(/ \(request id: [\w-]+\)$/, '')

/** Its contract would bring its schemas. A call that the balance does not pay for names the page. */
const WALLET = '/app/wallet'

function Failure({ answer: { error = '', request_id } }: { answer: Answer }) {
  const { t } = usePageContext()
  return (
    <div className="answer-error" role="alert">
      <ErrorText>{isReason(error) ? t(reasons[error]) : withoutId(error)}</ErrorText>
      {error === 'expired' && (
        <a className="btn btn-sm" href="/login?expired=true&returnTo=%2Fplayground">
          {t('playground.sign_in')}
        </a>
      )}
      {error.includes(WALLET) && (
        <a className="btn btn-sm" href={WALLET}>
          {t('playground.top_up')}
        </a>
      )}
      {request_id && (
        <Copy text={request_id} className="btn btn-ghost btn-sm mono">
          {request_id}
        </Copy>
      )}
    </div>
  )
}
