/** Operations of devices and second factors. */
import { z } from 'zod'
import { CodeBody, NewPasskey, PasskeyRename } from '../../../contracts/security.ts'
import type { OperationGroup } from './notes.ts'

const Codes = z.object({ recovery_codes: z.array(z.string()).nullable() })

export const security: OperationGroup = {
  noun: 'security',
  title: 'Security',
  operations: {
    'GET /api/user/sessions': { summary: 'Devices that are signed in.' },
    'DELETE /api/user/sessions': { summary: 'Ends all sessions but this one.' },
    'DELETE /api/user/sessions/:id': { summary: 'Ends one session.' },
    'GET /api/user/second-factors': { summary: 'Authenticator, passkeys and number of recovery codes.' },
    'POST /api/user/authenticator': { summary: 'Begins to add an authenticator app.' },
    'POST /api/user/authenticator/confirm': {
      summary: 'Adds the authenticator app with its first code.',
      body: CodeBody,
      data: Codes,
      example: { code: '123456' },
    },
    'DELETE /api/user/authenticator': { summary: 'Removes the authenticator app.' },
    'POST /api/user/recovery-codes': { summary: 'Replaces the recovery codes.', data: Codes },
    'POST /api/user/passkey-challenge': { summary: 'Challenge for a new passkey.' },
    'POST /api/user/passkeys': { summary: 'Adds a passkey.', body: NewPasskey, data: Codes },
    'PUT /api/user/passkeys/:id': { summary: 'Renames a passkey.', body: PasskeyRename, example: { name: 'laptop' } },
    'DELETE /api/user/passkeys/:id': { summary: 'Removes a passkey.' },
  },
}
