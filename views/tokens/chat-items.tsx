/** Menu items that open chats with the key of a token, in a new tab. The server adds the key to the address. */
import MessageCircle from 'lucide/dist/esm/icons/message-circle.mjs'
import { MenuLink } from '../../client/components/menu.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { ChatLink } from '../../src/contracts/chat.ts'
import { type Token, TokenStatus } from '../../src/contracts/token.ts'
import { tokensAction } from './view.ts'

interface ChatItemsProps {
  token: Token
  chats: ChatLink[]
}

export const chatsFor = ({ token, chats }: ChatItemsProps): ChatLink[] =>
  token.status === TokenStatus.enabled ? chats : []

export function ChatItems(props: ChatItemsProps) {
  const { t } = usePageContext()
  return chatsFor(props).map(({ id, name }) => (
    <MenuLink
      key={id}
      icon={MessageCircle}
      href={tokensAction({}, `${props.token.id}/chat/${id}`)}
      target="_blank"
      rel="noopener noreferrer"
    >
      {t('token.open_in', { name })}
    </MenuLink>
  ))
}
