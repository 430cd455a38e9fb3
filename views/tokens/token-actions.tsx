/** State and actions at the top of a token's drawer. */
import KeyRound from 'lucide/dist/esm/icons/key-round.mjs'
import MessageCircle from 'lucide/dist/esm/icons/message-circle.mjs'
import ScrollText from 'lucide/dist/esm/icons/scroll-text.mjs'
import Trash2 from 'lucide/dist/esm/icons/trash.mjs'
import { Icon } from '../../client/components/icon.tsx'
import { Form, OverlayLink } from '../../client/components/link.tsx'
import { Menu } from '../../client/components/menu.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { ChatLink } from '../../src/contracts/chat.ts'
import { type Token, TokenStatus } from '../../src/contracts/token.ts'
import { logsAt } from '../logs/view.ts'
import { ChatItems, chatsFor } from './chat-items.tsx'
import { TokenState } from './state.tsx'
import { type TokensView, tokensAction, tokensAt } from './view.ts'

const SWITCH = 'token-switch'
const DELETION = 'token-deletion'

interface TokenActionsProps {
  token: Token
  view: TokensView
  chats: ChatLink[]
}

export function TokenActions({ token, view, chats }: TokenActionsProps) {
  const { t } = usePageContext()
  const isOn = token.status === TokenStatus.enabled
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2">
      <span className="flex-1">
        <TokenState token={token} />
      </span>
      {(isOn || token.status === TokenStatus.disabled) && (
        <button type="submit" form={SWITCH} className="btn btn-sm">
          {t(isOn ? 'token.disable' : 'token.enable')}
        </button>
      )}
      <OverlayLink
        className="btn btn-sm"
        href={tokensAt(view, { keys: token.id })}
        aria-label={t('token.show_key')}
        title={t('token.show_key')}
      >
        <Icon of={KeyRound} small />
      </OverlayLink>
      {chatsFor({ token, chats }).length > 0 && (
        <Menu
          id="token-chats"
          label={t('token.open_in_chat')}
          className="btn btn-sm"
          button={<Icon of={MessageCircle} small />}
        >
          <ChatItems token={token} chats={chats} />
        </Menu>
      )}
      <a
        className="btn btn-sm"
        href={logsAt({ token_name: token.name })}
        aria-label={t('token.usage')}
        title={t('token.usage')}
      >
        <Icon of={ScrollText} small />
      </a>
      <button
        type="submit"
        form={DELETION}
        className="btn btn-sm"
        aria-label={t('token.delete')}
        title={t('token.delete')}
      >
        <Icon of={Trash2} small />
      </button>
    </div>
  )
}

/** Forms of the buttons above: HTML forbids a form inside the drawer's form. */
export function TokenForms({ token, returnTo }: { token: Token; returnTo: string }) {
  const act = token.status === TokenStatus.enabled ? 'disable' : 'enable'
  return (
    <>
      <Form id={SWITCH} action={tokensAction({}, `${token.id}/${act}`)} returnTo={returnTo}>
        {null}
      </Form>
      <Form id={DELETION} action={tokensAction({}, `${token.id}/delete`)} returnTo={returnTo}>
        {null}
      </Form>
    </>
  )
}
