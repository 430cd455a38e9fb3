/** Sign-in and binding with Telegram: the page with its widget, and where the widget leads. */
import { Elysia } from 'elysia'
import { TelegramPage, WIDGET_FRAME } from '../../../views/oauth/telegram.tsx'
import { TelegramFields } from '../../contracts/oauth.ts'
import { parse } from '../../contracts/parse.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { bind, boundUser, checkProviderEnabled, identityByTelegram, issueState } from '../../domain/oauth/index.ts'
import { translate } from '../../locales/index.ts'
import { checkLimit } from '../../web/ip-rate-limit.ts'
import { checkOrigin } from '../../web/origin.ts'
import { framing } from '../../web/page-headers.ts'
import { guard } from '../guard.ts'
import { render } from '../page.tsx'
import { completeSignIn } from '../sign-in.ts'
import { keepBrowser } from './browser.ts'
import { checkMayBind, type Outcome, resumeFlow } from './flow.ts'
import { contextOf, type OAuthPage, pathAfter, redirectBack, redirectOn } from './oauth-page.ts'

const CALLBACK = '/oauth/telegram'

export const telegramPages = new Elysia()
  .use(guard)
  .get(`${CALLBACK}/start`, open, { page: 'anyone', confirmed: 'optional' })
  .get(CALLBACK, finish, { page: 'anyone' })

async function open(page: OAuthPage): Promise<Response> {
  const { request, server, visit, query } = page
  const { caller, status, language } = visit
  const return_to = pathAfter(visit, query.returnTo)
  try {
    await checkLimit('critical', request, server, 'oauth-state')
    if (caller) checkOrigin(request)
    checkProviderEnabled('telegram')
    if (!status.telegram_bot_name) throw new Refusal('oauth.not_enabled')
    const { browser, cookie } = keepBrowser(page)
    const state = await issueState(browser, 'telegram', { user_id: caller?.id ?? 0, return_to })
    const callback = `${CALLBACK}?${new URLSearchParams({ state })}`
    const content = <TelegramPage visit={visit} returnTo={return_to} callback={callback} />
    const response = await render(request, visit, content, {
      title: translate(language, caller ? 'oauth.telegram_bind_title' : 'oauth.telegram_title'),
      frame: 'auth',
      headers: framing(visit, WIDGET_FRAME),
    })
    response.headers.append('set-cookie', cookie)
    return response
  } catch (error) {
    return redirectBack(page, error, return_to)
  }
}

async function finish(page: OAuthPage): Promise<Response> {
  const { request, server, visit, query } = page
  let path = pathAfter(visit, undefined)
  try {
    await checkLimit('critical', request, server, 'oauth')
    path = pathAfter(visit, (await resumeFlow(contextOf(page), 'telegram')).return_to)
    checkProviderEnabled('telegram')
    const { state, ...fields } = query
    return redirectOn(page, await arriveByTelegram(page, fields), path)
  } catch (error) {
    return redirectBack(page, error, path)
  }
}

/** As `arrive`, but creates no user: everyone has a Telegram account, and its owner has to be bound first. */
async function arriveByTelegram(page: OAuthPage, fields: Record<string, string>): Promise<Outcome> {
  const { caller } = page.visit
  const identity = await identityByTelegram(parse(TelegramFields, fields))
  if (!caller) return { signedIn: await completeSignIn(await boundUser(identity), contextOf(page)), is_new: false }
  checkMayBind(caller)
  await bind(caller.id, identity)
  return { is_new: false }
}
