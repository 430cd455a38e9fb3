/** Query values as plain text. Elysia would parse `a,b` as a list and `{}` as an object before a schema reads them. */
import { Elysia } from 'elysia'
import { Refusal } from '../contracts/refusal.ts'

export const queryAsText = new Elysia({ name: 'query-as-text' })
  .onTransform({ as: 'global' }, context => {
    context.query = Object.fromEntries(new URL(context.request.url).searchParams)
  })
  // PostgreSQL cannot hold U+0000. Refused after the guard, so that 401 and 403 come before 400.
  .onBeforeHandle({ as: 'global' }, ({ request }) => {
    if (new URL(request.url).search.includes('%00')) throw new Refusal('error.invalid_text', {}, 400)
  })
