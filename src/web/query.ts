/** Query values as the text they are. Elysia would make a list of `a,b` and an object of `{}` before a schema sees them. */
import { Elysia } from 'elysia'
import { Refusal } from '../contracts/refusal.ts'

export const queryAsText = new Elysia({ name: 'query-as-text' })
  .onTransform({ as: 'global' }, context => {
    context.query = Object.fromEntries(new URL(context.request.url).searchParams)
  })
  // PostgreSQL cannot hold U+0000. Refused after the guard: who may ask is decided before what was asked.
  .onBeforeHandle({ as: 'global' }, ({ request }) => {
    if (new URL(request.url).search.includes('%00')) throw new Refusal('error.invalid_text', {}, 400)
  })
