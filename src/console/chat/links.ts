/** The chat that a request asks for. */
import { type ChatLink, chatLinks, isChatSite } from '../../contracts/chat.ts'
import { isUnusable, publicStatus } from '../../domain/options/index.ts'
import type { MessageKey } from '../../locales/index.ts'

/** A chat that opens for no user: the settings have to change. */
export class ChatMisconfigured extends Error {
  constructor(readonly code: MessageKey) {
    super(code)
  }
}

export const linkBroken = () => new ChatMisconfigured('chat.link_broken')

/** @param id absent for the first site @throws ChatMisconfigured */
export function findChat(id?: string): ChatLink {
  const links = allChats()
  const found = id === undefined ? links.find(isChatSite) : links.find(link => link.id === id)
  if (!found) throw id === undefined ? new ChatMisconfigured('chat.none') : linkBroken()
  return found
}

/** The site that `/chat2link` leads to: the chat link, else the first site. @throws ChatMisconfigured */
export const findChatLink = (): ChatLink =>
  allChats().find(link => ['link', 'link2'].includes(link.id) && isChatSite(link)) ?? findChat()

function allChats(): ChatLink[] {
  if (isUnusable('Chats')) throw new ChatMisconfigured('chat.data_broken')
  const links = chatLinks(publicStatus())
  if (!links.length) throw new ChatMisconfigured('chat.none')
  return links
}
