/** The content of a message as its recipients will read it. */
import { usePageContext } from '../../client/components/page-context.tsx'
import { MessageText } from './message.tsx'

/** @param html sanitised */
export function Preview({ html }: { html: string }) {
  const { t } = usePageContext()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
    <section id="message-preview" className="message-preview" aria-label={t('message.preview')} tabIndex={0}>
      {html ? <MessageText html={html} /> : <p className="help m-0">{t('message.preview_empty')}</p>}
    </section>
  )
}
