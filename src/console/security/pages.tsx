/** Routes of the security page and its forms. */
import { RecoveryCodes, RenamePasskey } from '../../../views/security/overlays.tsx'
import { securityAt } from '../../../views/security/view.ts'
import { parse } from '../../contracts/parse.ts'
import { CodeBody, DeviceId, NewPasskey, PasskeyId, PasskeyRename } from '../../contracts/security.ts'
import { SECURITY_PATH } from '../../contracts/security-paths.ts'
import { endOtherSessions, endSession } from '../../domain/account/index.ts'
import {
  addPasskey,
  beginAuthenticator,
  confirmAuthenticator,
  removeAuthenticator,
  removePasskey,
  renamePasskey,
  renewRecoveryCodes,
  secondFactorsOf,
} from '../../domain/two-factor/index.ts'
import type { MessageKey } from '../../locales/index.ts'
import type { MessageParams } from '../../locales/translator.ts'
import { errorsOf, formFields } from '../../web/forms.ts'
import { ceremonyOf } from '../ceremony.ts'
import { act, back, listPage } from '../list-page.ts'
import { redirectTo } from '../page.tsx'
import { pageAt } from '../visit.ts'
import {
  keyIn,
  openOverlay,
  addPasskey as passkeyDialog,
  type SecurityPage,
  SecurityQuery,
  setUpApp,
  show,
} from './show.tsx'

const access = { userPage: 'signedIn', query: SecurityQuery } as const
const dangerous = { ...access, confirmed: true } as const

type DeviceRequest = SecurityPage & { params: { id: string } }

export const securityPages = listPage(SECURITY_PATH)
  .get('', page => show(page), access)
  .post('/sessions/end-others', endOthers, access)
  .post('/sessions/:id/end', end, { ...access, params: DeviceId })
  .post('/authenticator', begin, dangerous)
  .post('/authenticator/confirm', turnOn, dangerous)
  .post('/authenticator/remove', removeApp, dangerous)
  .post('/recovery-codes', renew, dangerous)
  .post('/passkeys', add, dangerous)
  .post('/passkeys/:id/rename', rename, { ...access, params: PasskeyId })
  .post('/passkeys/:id/remove', removeKey, { ...dangerous, params: PasskeyId })

async function end(page: DeviceRequest): Promise<Response> {
  return act(page, async () => {
    await endSession(page.caller.id, page.params.id)
    return back(page, 'security.device_ended')
  })
}

async function endOthers(page: SecurityPage): Promise<Response> {
  return back(page, 'security.devices_ended', { count: await endOtherSessions(page.caller.id, page.session) })
}

async function begin(page: SecurityPage): Promise<Response> {
  return act(page, async () => {
    await beginAuthenticator(page.caller.id)
    return redirectTo(securityAt({ setup: '' }))
  })
}

async function turnOn(page: SecurityPage): Promise<Response> {
  try {
    const { code } = parse(CodeBody, { code: formFields(page.body).code })
    return after(page, await confirmAuthenticator(page.caller.id, code), 'security.app_turned_on')
  } catch (error) {
    const opened = openOverlay(page, { setup: '' })
    return show(opened, await setUpApp(opened, errorsOf(error, page.visit.language)), 422)
  }
}

async function removeApp(page: SecurityPage): Promise<Response> {
  await removeAuthenticator(page.caller.id)
  return back(page, 'security.app_removed')
}

async function renew(page: SecurityPage): Promise<Response> {
  return act(page, async () => showCodes(page, await renewRecoveryCodes(page.caller.id)))
}

async function add(page: SecurityPage): Promise<Response> {
  const { name, credential } = formFields(page.body)
  try {
    const passkey = parse(NewPasskey, { name, credential })
    const ceremony = ceremonyOf(page, 'passkey-add', page.caller.id)
    const codes = await addPasskey(page.caller.id, ceremony, passkey.name, passkey.credential)
    return after(page, codes, 'security.passkey_added', { name: passkey.name })
  } catch (error) {
    const opened = openOverlay(page, { passkey: '' })
    return show(opened, passkeyDialog(opened, name, errorsOf(error, page.visit.language)), 422)
  }
}

async function rename(page: DeviceRequest): Promise<Response> {
  const { id } = page.params
  try {
    const { name } = parse(PasskeyRename, { name: formFields(page.body).name })
    await renamePasskey(page.caller.id, id, name)
    return back(page, 'security.passkey_renamed', { name })
  } catch (error) {
    const errors = errorsOf(error, page.visit.language)
    const { passkeys } = await secondFactorsOf(page.caller.id)
    const opened = openOverlay(page, { rename: id })
    return show(opened, <RenamePasskey passkey={keyIn(passkeys, id)} errors={errors} />, 422)
  }
}

async function removeKey(page: DeviceRequest): Promise<Response> {
  const { name } = await removePasskey(page.caller.id, page.params.id)
  return back(page, 'security.passkey_removed', { name })
}

/** The first second factor brings recovery codes, which are shown at once and never again. */
const after = (page: SecurityPage, codes: string[] | undefined, message: MessageKey, params?: MessageParams) =>
  codes ? showCodes(page, codes) : back(page, message, params)

function showCodes(page: SecurityPage, codes: string[]): Promise<Response> {
  return show(pageAt(page, securityAt()), <RecoveryCodes codes={codes} site={page.visit.status.system_name} />)
}
