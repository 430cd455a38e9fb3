/** JSON API of the suggestions of pickers: of channels and users for administrators only. */
import { Elysia } from 'elysia'
import { z } from 'zod'
import { envelope, ok } from '../../web/envelope.ts'
import { guard } from '../guard.ts'
import { suggestions } from './suggestions.ts'

const query = z.object({ q: z.string().default('') })

export const suggestionApi = new Elysia()
  .use(envelope)
  .use(guard)
  .get('/api/suggestions/channels', async ({ caller, query }) => ok(await suggestions('channels', caller, query.q)), {
    admin: true,
    query,
  })
  .get('/api/suggestions/users', async ({ caller, query }) => ok(await suggestions('users', caller, query.q)), {
    admin: true,
    query,
  })
  .get('/api/suggestions/models', async ({ caller, query }) => ok(await suggestions('models', caller, query.q)), {
    signedIn: true,
    query,
  })
  .get('/api/suggestions/tokens', async ({ caller, query }) => ok(await suggestions('tokens', caller, query.q)), {
    signedIn: true,
    query,
  })
