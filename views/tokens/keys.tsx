/** Drawer that shows keys to copy, after they were created or on request. */
import RefreshCw from 'lucide/dist/esm/icons/refresh-cw.mjs'
import type { ReactNode } from 'react'
import { Copy } from '../../client/components/copy.tsx'
import { Drawer, Fields } from '../../client/components/drawer.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { ActionButton, PageLink } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { KEY_PREFIX, type Token } from '../../src/contracts/token.ts'
import { TryIt, type TryItProps } from './try-it.tsx'
import { type TokensView, tokensAction, tokensAt } from './view.ts'

interface KeysProps {
  view: TokensView
  tokens: Token[]
  /** Base URL of the API, without `/v1`. */
  base: string
  /** A first call with the first token. */
  call: Pick<TryItProps, 'models' | 'model' | 'snippet'>
  /** The tokens were created just now. */
  created: boolean
}

export function Keys({ view, tokens, base, call, created }: KeysProps) {
  const { t } = usePageContext()
  const token = tokens[0]!
  const count = tokens.length
  const one = created ? t('token.created', { name: token.name }) : t('token.key_of', { name: token.name })
  const several = created ? t('token.created_many', { count }) : t('token.keys_of', { count })
  const close = tokensAt(view)
  const shown = { [created ? 'created' : 'keys']: String(token.id) }
  const address = { p: view.page === 1 ? undefined : view.page?.toString(), keyword: view.keyword, ...shown }
  const done = (
    <PageLink href={close} className="btn btn-primary" data-close autoFocus>
      {t('token.done')}
    </PageLink>
  )
  return (
    <Drawer title={count === 1 ? one : several} close={close} footer={done}>
      {count > 1 ? (
        <ManyKeys tokens={tokens} />
      ) : (
        <SingleKey token={token} base={base} view={view}>
          <TryIt {...call} base={base} apiKey={KEY_PREFIX + token.key} token_id={token.id} address={address} />
        </SingleKey>
      )}
    </Drawer>
  )
}

interface SingleKeyProps extends Pick<KeysProps, 'view' | 'base'> {
  token: Token
  children: ReactNode
}

function SingleKey({ token, base, view, children }: SingleKeyProps) {
  const { t } = usePageContext()
  const key = KEY_PREFIX + token.key
  return (
    <>
      <Fields title={t('token.key')}>
        <Copyable text={key} label={t('token.copy_key_of', { name: token.name })} />
        <p className="help m-0">{t('token.key_help')}</p>
        <Rotation token={token} view={view} />
      </Fields>
      <Fields title={t('token.base_url')}>
        <Copyable text={`${base}/v1`} label={t('token.copy_base_url_v1')} />
        <Copyable text={base} label={t('token.copy_base_url')} />
        <p className="help m-0">{t('token.base_url_help')}</p>
      </Fields>
      {children}
    </>
  )
}

/** Opened first: the old secret cannot be brought back. */
function Rotation({ token, view }: Pick<SingleKeyProps, 'token' | 'view'>) {
  const { t } = usePageContext()
  return (
    <details className="added">
      <summary>
        <Icon of={RefreshCw} small />
        {t('token.rotate')}
      </summary>
      <div className="grid justify-items-start gap-2">
        <p className="help m-0">{t('token.rotate_help')}</p>
        <ActionButton
          action={tokensAction(view, `${token.id}/rotate`)}
          returnTo={tokensAt(view, { keys: token.id })}
          className="btn btn-sm danger"
        >
          {t('token.rotate_now')}
        </ActionButton>
      </div>
    </details>
  )
}

/** Wraps, so that the whole key is visible. */
function Copyable({ text, label }: { text: string; label: string }) {
  const { t } = usePageContext()
  return (
    <div className="base-url min-w-0 !h-auto min-h-12">
      <span className="!whitespace-normal break-all py-2 select-all">{text}</span>
      <Copy text={text} label={label} className="shrink-0">
        <span>{t('ui.copy')}</span>
      </Copy>
    </div>
  )
}

function ManyKeys({ tokens }: { tokens: Token[] }) {
  const { t } = usePageContext()
  const keys = tokens.map(token => KEY_PREFIX + token.key).join('\n')
  return (
    <Fields title={t('token.keys')}>
      <textarea
        className="textarea mono !text-xs"
        rows={Math.min(tokens.length, 16)}
        readOnly
        value={keys}
        aria-label={t('token.keys')}
        wrap="off"
      />
      <span>
        <Copy text={keys} className="btn">
          {t('token.copy_keys')}
        </Copy>
      </span>
      <p className="help m-0">{t('token.key_help')}</p>
    </Fields>
  )
}
