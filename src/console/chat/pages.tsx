/** Routes of chat sites in a frame or a new tab, with a user's API key. */
import { Elysia } from 'elysia'
import { z } from 'zod'
import { BrokenChat, ChatConsent, ChatFrame, type ChatPageProps, NoToken } from '../../../views/chat/chat.tsx'
import { TOKENS_PATH } from '../../../views/tokens/view.ts'
import type { SessionUser } from '../../contracts/account.ts'
import { type ChatLink, CONSENT_PATH, chatAddress, isChatSite } from '../../contracts/chat.ts'
import { Id } from '../../contracts/paging.ts'
import { isExpired, KEY_PREFIX, type Token, TokenStatus } from '../../contracts/token.ts'
import type { Visit } from '../../contracts/visit.ts'
import { firstUsableToken, tokenOf } from '../../domain/tokens/index.ts'
import { translator } from '../../locales/index.ts'
import { now } from '../../process/clock.ts'
import { forms, text } from '../../web/forms.ts'
import { localPath } from '../../web/origin.ts'
import { framingMedia, postingTo } from '../../web/page-headers.ts'
import { siteOf } from '../../web/request.ts'
import { guard } from '../guard.ts'
import { redirectTo, render } from '../page.tsx'
import type { RequestContext } from '../visit.ts'
import { consentTo, hasConsent } from './consent.ts'
import { ChatMisconfigured, findChat, findChatLink, linkBroken } from './links.ts'

const access = { userPage: 'signedIn' } as const
const ofToken = { ...access, params: Id.extend({ chat: z.string() }) } as const

export const chatPages = new Elysia()
  .use(guard)
  .use(forms)
  .get('/chat', page => showFrame(page), access)
  .get('/chat/:id', page => showFrame(page, page.params.id), access)
  .get(
    '/chat2link',
    page => openOrExplain(page, async () => leave(page, findChatLink(), await firstToken(page))),
    access,
  )
  .get(
    `${TOKENS_PATH}/:id/chat/:chat`,
    page =>
      openOrExplain(page, async () =>
        leave(page, findChat(page.params.chat), await usable(tokenOf(page.caller.id, page.params.id))),
      ),
    ofToken,
  )
  .post(CONSENT_PATH, page => openOrExplain(page, async () => consent(page)), access)

type ChatRequest = RequestContext & { visit: Visit; caller: SessionUser }

const Consent = z.object({ chat: text, returnTo: text })

/** Remembers the site or app of the chat, as the settings name it now. */
async function consent(page: ChatRequest): Promise<Response> {
  const { chat, returnTo } = Consent.parse(page.body)
  const url = addressOf(page, findChat(chat), undefined)
  const headers = { 'set-cookie': consentTo(page.request, page.caller, url) }
  return redirectTo(localPath(returnTo, '/chat'), undefined, headers)
}

function showFrame(page: ChatRequest, id?: string): Promise<Response> {
  return openOrExplain(page, async () => {
    const chat = findChat(id)
    // An app has no page that a frame could show.
    if (!isChatSite(chat)) throw linkBroken()
    const token = await firstToken(page)
    const { request, server, visit } = page
    const url = addressOf(page, chat, token)
    const shown = { name: chat.name, url, token: token.name }
    if (!mayGive(page, chat, url)) return ask(page, chat, shown)
    const href = `${TOKENS_PATH}/${token.id}/chat/${chat.id}`
    const content = <ChatFrame {...shown} href={href} is_own={url.origin === siteOf(request, server)} />
    return render(request, visit, content, { title: chat.name, headers: framingMedia(visit, url.origin) })
  })
}

/** Goes to the chat with the key of this token. */
function leave(page: ChatRequest, chat: ChatLink, token: Token): Promise<Response> | Response {
  const url = addressOf(page, chat, token)
  if (!mayGive(page, chat, url)) return ask(page, chat, { name: chat.name, url, token: token.name })
  return redirectTo(url.href, undefined, { 'referrer-policy': 'no-referrer' })
}

/** Whether the user has agreed, or no key is asked for. */
const mayGive = ({ request, caller }: ChatRequest, { template }: ChatLink, url: URL): boolean =>
  !template.includes('{key}') || hasConsent(request, caller, url)

/** The form leads back here, and from here to the site or app. */
const ask = ({ request, visit }: ChatRequest, { id, name }: ChatLink, shown: ChatPageProps) =>
  render(request, visit, <ChatConsent {...shown} chat={id} returnTo={visit.url} />, {
    title: name,
    headers: postingTo(visit, shown.url),
  })

/** @throws ChatMisconfigured */
function addressOf({ request, server, visit }: ChatRequest, chat: ChatLink, token: Token | undefined): URL {
  const address = visit.status.server_address || siteOf(request, server)
  const url = chatAddress(chat, { key: KEY_PREFIX + (token?.key ?? ''), address })
  if (!url) throw linkBroken()
  return url
}

class NoUsableToken extends Error {}

const firstToken = ({ caller }: ChatRequest): Promise<Token> => usable(firstUsableToken(caller.id))

/** @throws NoUsableToken */
async function usable(found: Promise<Token | undefined>): Promise<Token> {
  const token = await found
  if (token?.status !== TokenStatus.enabled || isExpired(token, now())) throw new NoUsableToken()
  return token
}

const TOKENS_AFTER_SECONDS = 1.5

async function openOrExplain(
  { request, visit, caller }: ChatRequest,
  open: () => Promise<Response>,
): Promise<Response> {
  const t = translator(visit.language)
  try {
    return await open()
  } catch (error) {
    const title = t('chat.title')
    if (error instanceof NoUsableToken) {
      const headers = { refresh: `${TOKENS_AFTER_SECONDS};url=${TOKENS_PATH}` }
      return render(request, visit, <NoToken />, { title, status: 409, headers })
    }
    if (!(error instanceof ChatMisconfigured)) throw error
    return render(request, visit, <BrokenChat message={error.code} role={caller.role} />, { title, status: 404 })
  }
}
