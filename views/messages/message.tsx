/** One message, as its recipient reads it. */

import ArrowLeft from 'lucide/dist/esm/icons/arrow-left.mjs'
import { Flag } from '../../client/components/badge.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { At } from '../../client/components/moment.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { InboxMessage, MessageFormat } from '../../src/contracts/message.ts'
import { INBOX_PATH } from '../../src/contracts/message.ts'

type ReceivedMessageProps = Pick<InboxMessage, 'title' | 'format' | 'created_time' | 'read_time'> & { html: string }

export function ReceivedMessage({ title, format, created_time, read_time, html }: ReceivedMessageProps) {
  const { t } = usePageContext()
  return (
    <>
      <p className="m-0 mb-3">
        <a href={INBOX_PATH} className="btn btn-ghost btn-sm -ml-2">
          <Icon of={ArrowLeft} small />
          {t('message.inbox')}
        </a>
      </p>
      <article className="letter">
        <header>
          <h1>{title}</h1>
          <p className="help">
            <FormatTag format={format} />
            <span>
              {t('message.sent')} <At at={created_time} />
            </span>
            {read_time !== null && (
              <span>
                {t('message.read')} <At at={read_time} />
              </span>
            )}
          </p>
        </header>
        <MessageText html={html} />
      </article>
    </>
  )
}

const formatNames = { markdown: 'Markdown', html: 'HTML' }

export const FormatTag = ({ format }: { format: MessageFormat }) => <Flag>{formatNames[format]}</Flag>

export const formatOptions = Object.entries(formatNames).map(([value, label]) => ({ value, label }))

/** @param html sanitised */
export const MessageText = ({ html }: { html: string }) => (
  <div className="message-text" dangerouslySetInnerHTML={{ __html: html }} />
)
