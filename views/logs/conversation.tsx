/** The conversation of the open call, as messages: long ones are folded. */
import { Copy } from '../../client/components/copy.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { loggedMessages } from '../../src/contracts/logged-messages.ts'
import { grouped } from '../../src/pure/number.ts'
import type { LogEntryView } from './entry.ts'

export function Conversation({ entry: { id, details } }: { entry: LogEntryView }) {
  const { t } = usePageContext()
  const { output_content } = details
  const asked = loggedMessages(details)
  const messages = output_content ? [...asked, { role: 'answer' as const, text: output_content }] : asked
  if (!messages.length) return null
  const ids = messages.map((_, index) => `message-${id}-${index}`)
  return (
    <section className="logged-messages" aria-label={t('log.conversation')}>
      <header>
        <h2>{t('log.conversation')}</h2>
        <Copy of={ids.flatMap(one => [`${one}-role`, one]).join(' ')} className="btn btn-ghost btn-sm script-only">
          {t('log.copy_conversation')}
        </Copy>
      </header>
      <ol>
        {messages.map(({ role, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: messages keep their order
          <li key={index} data-role={role}>
            <Message id={ids[index]!} role={role} text={text} />
          </li>
        ))}
      </ol>
    </section>
  )
}

const LINES_SHOWN = 6
const CHARACTERS_SHOWN = 420

const isLong = (text: string) =>
  text.length > CHARACTERS_SHOWN || text.split('\n', LINES_SHOWN + 1).length > LINES_SHOWN

interface MessageProps {
  id: string
  role: 'system' | 'user' | 'assistant' | 'answer'
  text: string
}

/** The switch stands before the text, which it cuts by style alone, and is drawn below it. */
function Message({ id, role, text }: MessageProps) {
  const { t } = usePageContext()
  return (
    <>
      <header>
        <b id={`${id}-role`}>{t(`log.role_${role}`)}</b>
        <Copy of={id} label={t('log.copy_message')} className="icon-button script-only !h-6 !min-w-6" />
      </header>
      <div className="logged-text">
        {isLong(text) && (
          <details>
            <summary>
              <span>{t('log.show_all', { count: grouped(text.length) })}</span>
              <span>{t('log.show_less')}</span>
            </summary>
          </details>
        )}
        <p id={id}>{text}</p>
      </div>
    </>
  )
}
