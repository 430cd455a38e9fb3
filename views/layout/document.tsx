/** HTML document around the body. The server writes the theme, so nothing flashes. */
import type { ReactNode } from 'react'
import { usePageContext } from '../../client/components/page-context.tsx'
import { type Notice, Toast } from '../../client/components/toast.tsx'
import type { Visit } from '../../src/contracts/visit.ts'
import { languages } from '../../src/locales/languages.ts'
import { Templates } from './templates.tsx'

/** Messages that the browser code shows. */
const clientMessages = [
  'ui.copied',
  'ui.copy_by_hand',
  'ui.unreachable',
  'ui.server_error',
  'ui.too_many',
  'ui.demo_only',
  'ui.other_error',
  'ui.signed_in_again',
  'field.show_password',
  'ui.hide_password',
  'time.seconds_ago',
  'time.minutes_ago',
  'time.hours_ago',
  'time.days_ago',
  'time.in_seconds',
  'time.in_minutes',
  'time.in_hours',
  'time.in_days',
] as const

/** Values of `color-scheme`, which the browser paints before the style sheet has loaded. */
const colorSchemes = { gate: 'light', 'gate-night': 'dark', system: 'light dark' }

interface DocumentProps {
  visit: Visit
  title: string
  script: string
  style: string
  notice?: Notice
  children: ReactNode
}

export function Document({ visit, title, script, style, notice, children }: DocumentProps) {
  const { t } = usePageContext()
  const { language, theme, status, caller, custom } = visit
  const messages = Object.fromEntries(
    clientMessages.map(code => [
      code.replace(/^(ui|field)\./, ''),
      t(code, { message: '{message}', count: '{count}' }),
    ]),
  )
  return (
    <html
      lang={languages[language].tag}
      data-theme={theme === 'system' ? undefined : theme}
      data-user={caller?.id}
      data-shortcuts={visit.shortcuts ? undefined : 'false'}
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content={colorSchemes[theme]} />
        <title>{`${title} · ${status.system_name}`}</title>
        <link rel="icon" href={status.logo || '/favicon.svg'} type={status.logo ? undefined : 'image/svg+xml'} />
        <link rel="stylesheet" href={style} />
        {custom.css && <link rel="stylesheet" href="/custom/global.css" />}
        <script type="module" src={script} nonce={visit.nonce} />
        {custom.js && <script defer src="/custom/global.js" nonce={visit.nonce} />}
      </head>
      <body>
        {children}
        <div id="toasts" role="status" aria-live="polite">
          {notice && <Toast {...notice} />}
        </div>
        <div id="announcement" className="sr-only fixed top-0" role="status" />
        <template id="toast-success">
          <Toast kind="success" text="" />
        </template>
        <template id="toast-error">
          <Toast kind="error" text="" retry />
        </template>
        <Templates />
        <script
          type="application/json"
          id="messages"
          dangerouslySetInnerHTML={{ __html: JSON.stringify(messages).replaceAll('<', '\\u003c') }}
        />
      </body>
    </html>
  )
}
