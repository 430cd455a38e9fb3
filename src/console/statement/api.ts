/** JSON API of account statements: one's own, and of a user for administrators. */
import { Elysia } from 'elysia'
import type { z } from 'zod'
import { Id, pageOf } from '../../contracts/paging.ts'
import { type StatementListing, StatementQuery } from '../../contracts/statement.ts'
import { statementOf } from '../../domain/statement/index.ts'
import { viewFor } from '../../domain/users/index.ts'
import { envelope, ok } from '../../web/envelope.ts'
import { guard } from '../guard.ts'
import { ofKind, periodOf, withoutActor } from './period.ts'

export const statementApi = new Elysia({ prefix: '/api/user' })
  .use(envelope)
  .use(guard)
  .get(
    '/statement',
    async ({ caller, query }) => {
      const list = await listing(caller.id, query)
      return ok({ ...list, items: list.items.map(withoutActor) })
    },
    { signedIn: true, query: StatementQuery },
  )
  .get(
    '/:id/statement',
    async ({ caller, params, query }) => ok(await listing((await viewFor(caller, params.id)).id, query)),
    { admin: true, params: Id, query: StatementQuery },
  )

async function listing(user_id: number, query: z.output<typeof StatementQuery>): Promise<StatementListing> {
  const { months, rows } = await statementOf(user_id, periodOf(query))
  const listed = ofKind(rows, query.kind)
  const { page, size, offset } = pageOf(query, 1)
  return { months, items: listed.slice(offset, offset + size), total: listed.length, page, page_size: size }
}
