/** Actions of a token's row: two buttons and a menu. */
import KeyRound from 'lucide/dist/esm/icons/key-round.mjs'
import ScrollText from 'lucide/dist/esm/icons/scroll-text.mjs'
import Trash2 from 'lucide/dist/esm/icons/trash.mjs'
import { Icon } from '../../client/components/icon.tsx'
import { ActionButton, OverlayLink, overlayRequest } from '../../client/components/link.tsx'
import { MenuLink, MoreMenu } from '../../client/components/menu.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { ChatLink } from '../../src/contracts/chat.ts'
import { type Token, TokenStatus } from '../../src/contracts/token.ts'
import { logsAt } from '../logs/view.ts'
import { ChatItems } from './chat-items.tsx'
import { type TokensView, tokensAction, tokensAt } from './view.ts'

interface RowActionsProps {
  token: Token
  view: TokensView
  chats: ChatLink[]
}

export function RowActions({ token, view, chats }: RowActionsProps) {
  const { t } = usePageContext()
  const { id, name } = token
  const keys = tokensAt(view, { keys: id })
  return (
    <>
      <Switch token={token} returnTo={tokensAt(view)} />
      <OverlayLink
        className="btn btn-ghost btn-sm"
        href={tokensAt(view, { edit: id })}
        aria-label={t('token.edit_named', { name })}
      >
        {t('token.edit')}
      </OverlayLink>
      <MoreMenu id={`more-${id}`} name={name}>
        <MenuLink icon={KeyRound} href={keys} {...overlayRequest(keys)}>
          {t('token.show_key')}
        </MenuLink>
        <MenuLink icon={ScrollText} href={logsAt({ token_name: token.name })}>
          {t('token.usage')}
        </MenuLink>
        <ChatItems token={token} chats={chats} />
        <ActionButton action={tokensAction(view, `${id}/delete`)} returnTo={tokensAt(view)} className="danger">
          <Icon of={Trash2} />
          {t('token.delete')}
        </ActionButton>
      </MoreMenu>
    </>
  )
}

/** Disabled for an expired or exhausted token: its expiry or quota has to change first. */
function Switch({ token: { id, name, status }, returnTo }: { token: Token; returnTo: string }) {
  const { t } = usePageContext()
  if (status === TokenStatus.enabled || status === TokenStatus.disabled) {
    const act = status === TokenStatus.enabled ? 'disable' : 'enable'
    return (
      <ActionButton
        action={tokensAction({}, `${id}/${act}`)}
        returnTo={returnTo}
        aria-label={t(`token.${act}_named`, { name })}
      >
        {t(`token.${act}`)}
      </ActionButton>
    )
  }
  return (
    <button type="button" className="btn btn-ghost btn-sm" disabled title={t('token.change_first')}>
      {t('token.enable')}
    </button>
  )
}
