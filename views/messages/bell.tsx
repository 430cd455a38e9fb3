/** Link to the inbox in the top bar, with the number of unread messages, which it polls. */

import BellDrawing from 'lucide/dist/esm/icons/bell.mjs'
import { Icon } from '../../client/components/icon.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { INBOX_PATH } from '../../src/contracts/message.ts'
import { badge } from '../../src/pure/number.ts'

export function Bell({ unread }: { unread: number }) {
  const { t } = usePageContext()
  return (
    <a
      id="inbox-bell"
      className="icon-button"
      href={INBOX_PATH}
      aria-label={unread ? t('shell.unread', { count: unread }) : t('shell.inbox')}
      hx-get={`${INBOX_PATH}/bell`}
      hx-trigger="every 30s, visibilitychange from:document"
      hx-swap="outerMorph"
    >
      <Icon of={BellDrawing} />
      {unread > 0 && (
        <span className="count" aria-hidden="true">
          {badge(unread)}
        </span>
      )}
    </a>
  )
}
