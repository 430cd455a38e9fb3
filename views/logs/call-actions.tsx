/** What can be done with the open call. */
import { Copy } from '../../client/components/copy.tsx'
import { PageLink } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { routesAt } from '../channels/route-view.ts'
import type { LogEntryView, OpenedCall } from './entry.ts'
import { type LogsView, logsAt } from './view.ts'

export interface CallActionsProps {
  entry: LogEntryView
  view: LogsView
  isOperator: boolean
  /** Id of the reader. */
  reader: number
  opened?: OpenedCall
}

export function CallActions({ entry, view, isOperator, opened }: CallActionsProps) {
  const { t } = usePageContext()
  const { id, model_name, group, prompt_tokens } = entry
  const input_tokens = prompt_tokens ? String(prompt_tokens) : undefined
  return (
    <div className="call-actions">
      {opened?.may_refund && opened.refunds && opened.refunds.left > 0 && (
        <PageLink className="btn btn-sm" href={logsAt(view, { refund: id })}>
          {t('log.refund')}
        </PageLink>
      )}
      {opened?.page && (
        <a className="btn btn-sm" href={opened.page}>
          {t('call.open')}
        </a>
      )}
      {isOperator && model_name && (
        <a className="btn btn-sm" href={routesAt({ group, model: model_name, input_tokens })}>
          {t('log.why_route')}
        </a>
      )}
      {opened?.playground && (
        <a className="btn btn-sm" href={opened.playground}>
          {t('log.open_playground')}
        </a>
      )}
      {opened?.curl && (
        <Copy text={opened.curl} className="btn btn-sm script-only">
          {t('log.copy_curl')}
        </Copy>
      )}
      {opened?.curl && (
        <noscript className="min-w-0 basis-full">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
          <pre tabIndex={0}>
            <code>{opened.curl}</code>
          </pre>
        </noscript>
      )}
    </div>
  )
}
