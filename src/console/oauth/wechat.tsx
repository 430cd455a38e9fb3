/** Sign-in and binding with WeChat: its page and form. */
import { Elysia } from 'elysia'
import { z } from 'zod'
import { WeChatPage } from '../../../views/oauth/wechat.tsx'
import { WeChatCode } from '../../contracts/oauth.ts'
import { parse } from '../../contracts/parse.ts'
import { checkProviderEnabled, identityByWeChatCode } from '../../domain/oauth/index.ts'
import { translate } from '../../locales/index.ts'
import { forms, text } from '../../web/forms.ts'
import { checkLimit } from '../../web/ip-rate-limit.ts'
import { guard } from '../guard.ts'
import { invitationOf } from '../invitation-cookie.ts'
import { render } from '../page.tsx'
import { refusedAt } from '../refused-form.ts'
import { arrive } from './flow.ts'
import { contextOf, type OAuthPage, pathAfter, redirectBack, redirectOn } from './oauth-page.ts'

const START = '/oauth/wechat/start'

const WeChatForm = z.object({ code: text, returnTo: text })

export const wechatPages = new Elysia()
  .use(guard)
  .use(forms)
  .get(START, open, { page: 'anyone', confirmed: 'optional' })
  .post('/oauth/wechat', submit, { page: 'anyone', confirmed: 'optional' })

async function open(page: OAuthPage): Promise<Response> {
  const path = pathAfter(page.visit, page.query.returnTo)
  try {
    checkProviderEnabled('wechat')
    return await show(page, path)
  } catch (error) {
    return redirectBack(page, error, path)
  }
}

async function submit(page: OAuthPage): Promise<Response> {
  const { request, server, body } = page
  const { code, returnTo } = WeChatForm.parse(body)
  const path = pathAfter(page.visit, returnTo)
  try {
    await checkLimit('critical', request, server, 'oauth')
    checkProviderEnabled('wechat')
    const identity = await identityByWeChatCode(parse(WeChatCode, { code }).code)
    return redirectOn(page, await arrive(contextOf(page), identity, invitationOf(request)), path)
  } catch (error) {
    return show(page, path, { code, error })
  }
}

/** The page, or the refused form. Whatever is wrong is shown at the code: it is the only field. */
function show(
  page: OAuthPage,
  path: string,
  { code, error }: { code?: string; error?: unknown } = {},
): Promise<Response> {
  const { request } = page
  const visit = { ...page.visit, url: `${START}?${new URLSearchParams({ returnTo: path })}` }
  const { errors, status } = refusedAt('code', error, request, visit.language)
  const content = <WeChatPage visit={visit} returnTo={path} code={code} errors={errors} />
  const title = translate(visit.language, visit.caller ? 'oauth.wechat_bind_title' : 'oauth.wechat_title')
  return render(request, visit, content, { title, frame: 'auth', status })
}
