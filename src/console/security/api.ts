/** JSON API of devices and second factors of the signed-in user. */
import { Elysia } from 'elysia'
import { parse } from '../../contracts/parse.ts'
import { CodeBody, DeviceId, NewPasskey, PasskeyId, PasskeyRename } from '../../contracts/security.ts'
import { endOtherSessions, endSession, sessionsOf } from '../../domain/account/index.ts'
import {
  addPasskey,
  beginAuthenticator,
  confirmAuthenticator,
  pendingAuthenticator,
  registrationOptions,
  removeAuthenticator,
  removePasskey,
  renamePasskey,
  renewRecoveryCodes,
  secondFactorsOf,
} from '../../domain/two-factor/index.ts'
import { anyUser } from '../../domain/users/index.ts'
import { envelope, ok } from '../../web/envelope.ts'
import { ceremonyOf } from '../ceremony.ts'
import { guard } from '../guard.ts'

const dangerous = { signedIn: true, confirmed: true } as const

/** `recovery_codes` is null unless this was the first second factor. */
const withCodes = (codes: string[] | undefined) => ok({ recovery_codes: codes ?? null })

export const securityApi = new Elysia()
  .use(envelope)
  .use(guard)
  .get('/api/user/sessions', async ({ caller, session }) => ok(await sessionsOf(caller.id, session)), {
    signedIn: true,
  })
  .delete('/api/user/sessions', async ({ caller, session }) => ok(await endOtherSessions(caller.id, session)), {
    signedIn: true,
  })
  .delete('/api/user/sessions/:id', async ({ caller, params }) => ok(await endSession(caller.id, params.id)), {
    signedIn: true,
    params: DeviceId,
  })
  .get('/api/user/second-factors', async ({ caller }) => ok(await secondFactorsOf(caller.id)), { signedIn: true })
  .post(
    '/api/user/authenticator',
    async ({ caller }) => {
      await beginAuthenticator(caller.id)
      return ok(await pendingAuthenticator(caller))
    },
    dangerous,
  )
  .post(
    '/api/user/authenticator/confirm',
    async ({ caller, body }) => withCodes(await confirmAuthenticator(caller.id, parse(CodeBody, body).code)),
    { ...dangerous },
  )
  .delete('/api/user/authenticator', async ({ caller }) => ok(await removeAuthenticator(caller.id)), dangerous)
  .post('/api/user/recovery-codes', async ({ caller }) => withCodes(await renewRecoveryCodes(caller.id)), dangerous)
  .post(
    '/api/user/passkey-challenge',
    async ({ request, server, caller }) =>
      ok(
        await registrationOptions(
          (await anyUser(caller.id))!,
          ceremonyOf({ request, server }, 'passkey-add', caller.id),
        ),
      ),
    dangerous,
  )
  .post(
    '/api/user/passkeys',
    async ({ request, server, caller, body }) => {
      const { name, credential } = parse(NewPasskey, body)
      return withCodes(
        await addPasskey(caller.id, ceremonyOf({ request, server }, 'passkey-add', caller.id), name, credential),
      )
    },
    dangerous,
  )
  .put(
    '/api/user/passkeys/:id',
    async ({ caller, params, body }) => ok(await renamePasskey(caller.id, params.id, parse(PasskeyRename, body).name)),
    { signedIn: true, params: PasskeyId },
  )
  .delete(
    '/api/user/passkeys/:id',
    async ({ caller, params }) => {
      await removePasskey(caller.id, params.id)
      return ok(null)
    },
    { ...dangerous, params: PasskeyId },
  )
