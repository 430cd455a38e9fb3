/** Home and about page of the operator: a text, or a frame of another site. */
import { usePageContext } from '../../client/components/page-context.tsx'
import type { Visit } from '../../src/contracts/visit.ts'

export const OperatorText = ({ html, title }: { html: string; title: string }) => (
  <div className="public operator-text">
    {!/<h1[ >]/.test(html) && <h1 className="sr-only">{title}</h1>}
    <article className="message-text" dangerouslySetInnerHTML={{ __html: html }} />
  </div>
)

/** Fills the window below the bar. The element in the browser posts theme and language to the frame. */
export function OperatorFrame({ url, title, visit }: { url: string; title: string; visit: Visit }) {
  const { language } = usePageContext()
  return (
    <tollgate-frame className="operator-frame" theme={visit.theme} language={language}>
      <h1 className="sr-only">{title}</h1>
      <iframe
        src={url}
        title={title}
        sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox"
        referrerPolicy="no-referrer"
      />
    </tollgate-frame>
  )
}
