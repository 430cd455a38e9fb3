/** Operations of devices and second factors. */
import { z } from 'zod'
import { CodeBody, NewPasskey, PasskeyRename } from '../../../contracts/security.ts'
import type { OperationGroup } from './notes.ts'

const Codes = z.object({ recovery_codes: z.array(z.string()).nullable() })

export const security: OperationGroup = {
  noun: 'security',
  title: 'Security',
  operations: {
    'GET /api/user/sessions': { summary: 'operation.sessions' },
    'DELETE /api/user/sessions': { summary: 'operation.sessions_end' },
    'DELETE /api/user/sessions/:id': { summary: 'operation.session_end' },
    'GET /api/user/second-factors': { summary: 'operation.second_factors' },
    'POST /api/user/authenticator': { summary: 'operation.authenticator_begin' },
    'POST /api/user/authenticator/confirm': {
      summary: 'operation.authenticator_add',
      body: CodeBody,
      data: Codes,
      example: { code: '123456' },
    },
    'DELETE /api/user/authenticator': { summary: 'operation.authenticator_remove' },
    'POST /api/user/recovery-codes': { summary: 'operation.recovery_codes', data: Codes },
    'POST /api/user/passkey-challenge': { summary: 'operation.passkey_challenge' },
    'POST /api/user/passkeys': { summary: 'operation.passkey_add', body: NewPasskey, data: Codes },
    'PUT /api/user/passkeys/:id': {
      summary: 'operation.passkey_rename',
      body: PasskeyRename,
      example: { name: 'laptop' },
    },
    'DELETE /api/user/passkeys/:id': { summary: 'operation.passkey_remove' },
  },
}
