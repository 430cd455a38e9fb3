/** A chat site in a frame, and what stands in its place. */
import ExternalLink from 'lucide/dist/esm/icons/external-link.mjs'
import type { ReactNode } from 'react'
import { Empty } from '../../client/components/empty.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { Form } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { PageHead } from '../../client/components/page-head.tsx'
import { Role } from '../../src/contracts/account.ts'
import { CONSENT_PATH, isChatSite } from '../../src/contracts/chat.ts'
import type { MessageKey } from '../../src/locales/index.ts'
import { TOKENS_PATH } from '../tokens/view.ts'

export interface ChatPageProps {
  name: string
  /** The address of the site, with the key. */
  url: URL
  /** Name of the API key. */
  token: string
}

interface ChatFrameProps extends ChatPageProps {
  /** Opens the site in a tab of its own. */
  href: string
  /** A frame of this site itself could undo its sandbox with its own origin. */
  is_own: boolean
}

const SANDBOX = 'allow-scripts allow-forms allow-popups allow-downloads'

export function ChatFrame({ name, url, token, href, is_own }: ChatFrameProps) {
  const { t } = usePageContext()
  return (
    <section className="chat-site" aria-label={name}>
      <header>
        <div>
          <h1>{name}</h1>
          <p className="help m-0">{t('chat.uses', { host: url.host, token })}</p>
        </div>
        <a className="btn btn-sm" href={href} target="_blank" rel="noopener noreferrer">
          <Icon of={ExternalLink} />
          <span className="max-sm:sr-only">{t('chat.new_tab')}</span>
        </a>
      </header>
      <iframe
        title={name}
        src={url.href}
        sandbox={is_own ? SANDBOX : `${SANDBOX} allow-same-origin`}
        allow="camera; microphone"
        referrerPolicy="no-referrer"
      />
    </section>
  )
}

interface ChatConsentProps extends ChatPageProps {
  /** Id of the chat. */
  chat: string
  /** Where the visitor was going. */
  returnTo: string
}

/** Asked once for each site and app, before it gets a key. */
export function ChatConsent({ name, url, token, chat, returnTo }: ChatConsentProps) {
  const { t } = usePageContext()
  const isApp = !isChatSite({ template: url.href })
  const host = isApp ? name : url.host
  return (
    <section className="max-w-xl">
      <PageHead title={t('chat.consent_title', { name })} />
      <p className="note warning m-0">
        {t(isApp ? 'chat.consent_app' : 'chat.consent_text', { host, token, scheme: url.protocol })}
      </p>
      <p className="help mt-3 mb-0">{t('chat.consent_once')}</p>
      <Form action={CONSENT_PATH} fullPage returnTo={returnTo} className="mt-5 flex flex-wrap gap-2">
        <input type="hidden" name="chat" value={chat} />
        <button type="submit" className="btn btn-primary">
          {t('chat.consent_give', { host })}
        </button>
        <a className="btn btn-ghost" href={TOKENS_PATH}>
          {t('chat.to_tokens')}
        </a>
      </Form>
    </section>
  )
}

/** Leads to the API keys by itself, through the header of the response. */
export function NoToken() {
  const { t } = usePageContext()
  return (
    <NoChat text={t('chat.no_token')}>
      <a className="btn btn-primary" href={TOKENS_PATH}>
        {t('chat.to_tokens')}
      </a>
    </NoChat>
  )
}

/** @param role of the reader: an administrator can change the settings */
export function BrokenChat({ message, role }: { message: MessageKey; role: number }) {
  const { t } = usePageContext()
  return (
    <NoChat text={t(message)}>
      {role >= Role.admin && (
        <a className="btn" href="/admin/settings">
          {t('chat.to_settings')}
        </a>
      )}
    </NoChat>
  )
}

function NoChat({ text, children }: { text: string; children: ReactNode }) {
  const { t } = usePageContext()
  return (
    <>
      <PageHead title={t('chat.title')} />
      <div role="alert">
        <Empty text={text}>{children}</Empty>
      </div>
    </>
  )
}
