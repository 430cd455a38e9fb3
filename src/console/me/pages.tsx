/** Routes of the personal settings: profile, notifications, prices, rewards. Security has pages of its own. */
import { Elysia } from 'elysia'
import { z } from 'zod'
import { ChangePassword, DeleteAccount, NewToken } from '../../../views/me/dialogs.tsx'
import { offersRewards } from '../../../views/me/view.ts'
import { optional } from '../../contracts/paging.ts'
import { parse } from '../../contracts/parse.ts'
import { ME_PATH, NewPassword, ProfileEdit } from '../../contracts/profile.ts'
import { changePassword, deleteOwnAccount, editProfile, newAccessToken } from '../../domain/account/index.ts'
import { anyUser } from '../../domain/users/index.ts'
import { translate } from '../../locales/index.ts'
import { errorsOf, forms, text } from '../../web/forms.ts'
import { checkLimit } from '../../web/ip-rate-limit.ts'
import { isSecure } from '../../web/request.ts'
import { clearedCookie } from '../../web/session-cookie.ts'
import { guard } from '../guard.ts'
import { rememberBrowser } from '../known-browser.ts'
import { redirectTo } from '../page.tsx'
import { pageAt } from '../visit.ts'
import { showProfile } from './profile.tsx'
import { inviteesDrawer, saveCheckIn, saveTransfer, showRewards, transferDialog } from './rewards.tsx'
import { saveNotifications, savePrices, showNotifications, showPrices, testWebhook } from './settings.tsx'
import { done, type MeRequest } from './tab.tsx'

const Query = z.object({ tab: z.string().optional(), open: z.string().optional(), p: optional })

const access = { userPage: 'signedIn' } as const
const dangerous = { ...access, confirmed: true } as const

export const mePages = new Elysia({ prefix: ME_PATH })
  .use(guard)
  .use(forms)
  .get('', page => show(page, page.query), { ...access, query: Query })
  .post('/profile', saveProfile, access)
  .post('/password', savePassword, access)
  .post('/token', createToken, dangerous)
  .post('/delete', remove, dangerous)
  .post('/check-in', saveCheckIn, access)
  .post('/transfer', saveTransfer, access)
  .post('/notifications', saveNotifications, access)
  .post('/notifications/test', testWebhook, access)
  .post('/prices', savePrices, access)

async function show(page: MeRequest, { tab, open, p }: z.output<typeof Query>): Promise<Response> {
  if (tab === 'notifications') return showNotifications(page)
  if (tab === 'prices') return showPrices(page)
  if (open === 'password') return showProfile(page, { overlay: await passwordDrawer(page) })
  if (open === 'delete') return showProfile(page, { overlay: <DeleteAccount username={page.caller.username} /> })
  if (open === 'transfer') return showRewards(page, { overlay: await transferDialog(page) })
  if (open === 'invitees') return showRewards(page, { overlay: await inviteesDrawer(page, p) })
  if (tab === 'rewards' && offersRewards(page.visit)) return showRewards(page)
  return showProfile(page)
}

const ProfileForm = z.object({ username: text, display_name: text })

async function saveProfile(page: MeRequest): Promise<Response> {
  const values = ProfileForm.parse(page.body)
  try {
    // A generated name may be longer than one may choose: only a changed one is checked.
    const { username, ...rest } = values
    const isSame = username.trim() === page.caller.username
    await editProfile(page.caller.id, parse(ProfileEdit, isSame ? rest : values), page.session)
    return done(page, ME_PATH, 'me.saved')
  } catch (error) {
    return showProfile(pageAt(page, ME_PATH), { values, errors: errorsOf(error, page.visit.language) })
  }
}

const passwordDrawer = async ({ caller }: MeRequest, errors?: Record<string, string>) => {
  const user = await anyUser(caller.id)
  return <ChangePassword hasPassword={user!.password !== ''} errors={errors} />
}

async function savePassword(page: MeRequest): Promise<Response> {
  try {
    await checkLimit('critical', page.request, page.server, 'password')
    const { csrf, returnTo, ...fields } = page.body as Record<string, string>
    await changePassword(page.caller.id, NewPassword.parse(fields), page.session)
    const response = done(page, ME_PATH, 'me.password_changed')
    await rememberBrowser(page, page.caller.id, response.headers)
    return response
  } catch (error) {
    const overlay = await passwordDrawer(page, errorsOf(error, page.visit.language))
    return showProfile(pageAt(page, `${ME_PATH}?open=password`), { overlay, refused: true })
  }
}

async function createToken(page: MeRequest): Promise<Response> {
  await checkLimit('critical', page.request, page.server, 'access-token')
  const token = await newAccessToken(page.caller.id)
  return showProfile(pageAt(page, ME_PATH), { overlay: <NewToken token={token} /> })
}

const Confirmation = z.object({ confirm: text })

async function remove(page: MeRequest): Promise<Response> {
  const { caller, request, server, visit } = page
  const typedName = Confirmation.parse(page.body).confirm.trim()
  if (typedName !== caller.username) {
    const error = translate(visit.language, 'me.delete_type_name')
    const overlay = <DeleteAccount username={caller.username} error={error} />
    return showProfile(pageAt(page, `${ME_PATH}?open=delete`), { overlay, refused: true })
  }
  await deleteOwnAccount(caller)
  const cleared = { 'set-cookie': clearedCookie(isSecure(request, server)) }
  return redirectTo('/login', { kind: 'success', text: translate(visit.language, 'me.deleted') }, cleared)
}
