/** Chat clients that the operator names: sites, and apps by their own schemes. Each is opened with a user's API key. */
import { runsScript } from './address.ts'
import type { PublicStatus } from './status.ts'

export const CONSENT_PATH = '/chat/consent'

export interface ChatLink {
  /** Its place in the option `Chats`; `link` and `link2` for the options `chat_link` and `chat_link2`. */
  id: string
  name: string
  /** An address with the placeholders `{key}` and `{address}`. */
  template: string
}

/** The option `Chats` in its order. */
export const chatEntries = ({ chats }: Pick<PublicStatus, 'chats'>): ChatLink[] =>
  chats.flatMap((chat, at) => Object.entries(chat).map(([name, template]) => ({ id: String(at), name, template })))

/** Every chat of the option `Chats`, then the chat links. */
export const chatLinks = (status: Pick<PublicStatus, 'chats' | 'chat_link' | 'chat_link2'>): ChatLink[] => [
  ...chatEntries(status),
  ...bareLink('link', status.chat_link),
  ...bareLink('link2', status.chat_link2),
]

/** A site without placeholders is given its settings in the fragment, as ChatGPT Next Web reads them. */
function bareLink(id: string, address: string): ChatLink[] {
  if (!address) return []
  const name = URL.parse(address)?.host || address
  if (address.includes('{key}') || !isChatSite({ template: address })) return [{ id, name, template: address }]
  const site = address.replace(/#.*/, '').replace(/\/+$/, '')
  return [{ id, name, template: `${site}/#/?settings={"key":"{key}","url":"{address}"}` }]
}

/** Only a site can stand in a frame. */
export const isChatSite = ({ template }: Pick<ChatLink, 'template'>): boolean => /^https?:\/\//i.test(template)

interface ChatValues {
  /** With its prefix. */
  key: string
  /** Address of this installation, without a path. */
  address: string
}

/** The address of a chat with its placeholders filled. @returns undefined for one that must not be followed */
export function chatAddress(link: ChatLink, { key, address }: ChatValues): URL | undefined {
  const filled = link.template.replaceAll('{key}', key).replaceAll('{address}', encodeURIComponent(address))
  const [url, plain] = [URL.parse(filled), URL.parse(link.template)]
  if (!url || !plain || runsScript(link.template) || runsScript(url.href)) return undefined
  // Of a site, the operator names the host: no placeholder, and nothing that ends a source in a policy.
  return !isChatSite(link) || (url.origin === plain.origin && plainHost.test(url.host)) ? url : undefined
}

const plainHost = /^([a-z0-9_.-]+|\[[a-f0-9:]+\])(:\d+)?$/
