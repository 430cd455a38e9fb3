/** Operations of the signed-in user's API keys. */
import { z } from 'zod'
import { NewToken, Token, TokenEdit, tokenDefaults } from '../../../contracts/token.ts'
import type { OperationGroup } from './notes.ts'

const beside = { total: z.int() }

export const tokens: OperationGroup = {
  noun: 'keys',
  title: 'API keys',
  operations: {
    'GET /api/token/': {
      summary: 'operation.keys',
      description: '`p` counts from 0.',
      data: z.array(Token),
      beside,
    },
    'GET /api/token/search': {
      summary: 'operation.keys_search',
      description: '`p` counts from 0; without a size 100 keys are returned.',
      data: z.array(Token),
      beside,
    },
    'GET /api/token/:id': { summary: 'operation.key', data: Token },
    'POST /api/token/': {
      summary: 'operation.keys_create',
      description: 'With `count` above 1 `data` is an array.',
      body: NewToken,
      defaults: tokenDefaults,
      example: { name: 'laptop', unlimited_quota: true },
      data: z.union([Token, z.array(Token)]),
    },
    'PUT /api/token/': {
      summary: 'operation.key_edit',
      description:
        'Absent fields stay unchanged. With `status_only=true` the body is `{ "id", "status" }`, where the status is ' +
        '1 (enabled) or 2 (disabled).',
      body: TokenEdit,
      example: { id: 1, name: 'desktop' },
      data: Token,
    },
    'DELETE /api/token/:id': { summary: 'operation.key_delete', data: z.null() },
  },
}
