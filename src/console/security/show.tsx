/** The security page as its address describes it. */
import type { ReactNode } from 'react'
import { z } from 'zod'
import { AddPasskey, NewCodes, RemoveFactor, RenamePasskey, SetUpApp } from '../../../views/security/overlays.tsx'
import { Security } from '../../../views/security/security.tsx'
import { APP, type SecurityOverlay, securityAt } from '../../../views/security/view.ts'
import { notFound } from '../../contracts/refusal.ts'
import type { PasskeyView, SecondFactors } from '../../contracts/security.ts'
import { type Session, sessionsOf } from '../../domain/account/index.ts'
import { lacksSecondFactor, pendingAuthenticator, secondFactorsOf } from '../../domain/two-factor/index.ts'
import { translate } from '../../locales/index.ts'
import { deviceNames } from '../../pure/user-agent.ts'
import { checkConfirmed } from '../guard.ts'
import { openAt, type PageRequest } from '../list-page.ts'
import { render } from '../page.tsx'

const text = z.string().optional().catch(undefined)

export const SecurityQuery = z.object({ setup: text, passkey: text, rename: text, remove: text, codes: text })

export type SecurityPage = PageRequest<z.output<typeof SecurityQuery>> & { session: Session }

/** @param overlay what lies over the page, in place of what the address opens @param status 422 for a refused form */
export async function show(page: SecurityPage, overlay?: ReactNode, status = 200): Promise<Response> {
  const { request, visit, caller, session } = page
  const factors = await secondFactorsOf(caller.id)
  const content = (
    <Security
      visit={visit}
      factors={factors}
      devices={await sessionsOf(caller.id, session)}
      required={await lacksSecondFactor(caller)}
      overlay={overlay ?? (await overlayOf(page, factors))}
    />
  )
  return render(request, visit, content, { title: translate(visit.language, 'security.title'), status })
}

/** The page with `overlay` open above it: where a refused form is shown again. */
export const openOverlay = (page: SecurityPage, overlay: SecurityOverlay): SecurityPage =>
  openAt(page, overlay, securityAt(overlay))

async function overlayOf(page: SecurityPage, { passkeys }: SecondFactors): Promise<ReactNode> {
  const { query } = page
  if (query.setup !== undefined) return setUpApp(page)
  if (query.passkey !== undefined) return addPasskey(page)
  if (query.codes !== undefined) return <NewCodes />
  if (query.remove === APP) return <RemoveFactor />
  if (query.remove !== undefined) return <RemoveFactor passkey={keyIn(passkeys, query.remove)} />
  if (query.rename !== undefined) return <RenamePasskey passkey={keyIn(passkeys, query.rename)} />
}

/** Shows the secret: only to a user who has just confirmed. */
export async function setUpApp({ request, caller }: SecurityPage, errors?: Record<string, string>) {
  checkConfirmed(request)
  const pending = await pendingAuthenticator(caller)
  return pending && <SetUpApp {...pending} errors={errors} />
}

/** The name is proposed by the browser that asks. */
export function addPasskey({ request }: SecurityPage, name?: string, errors?: Record<string, string>) {
  checkConfirmed(request)
  const { browser, system } = deviceNames(request.headers.get('user-agent') ?? '')
  return <AddPasskey name={name ?? (system || browser)} errors={errors} />
}

/** @throws Refusal 404 */
export function keyIn(passkeys: PasskeyView[], id: string): PasskeyView {
  const passkey = passkeys.find(passkey => passkey.id === id)
  if (!passkey) throw notFound('security.passkey_missing')
  return passkey
}
