/** Query values as the text they are. Elysia would make a list of `a,b` and an object of `{}` before a schema sees them. */
import { Elysia } from 'elysia'
import { Refusal } from '../contracts/refusal.ts'

export const queryAsText = new Elysia({ name: 'query-as-text' }).onTransform({ as: 'global' }, context => {
  const { searchParams } = new URL(context.request.url)
  if (searchParams.toString().includes('%00')) throw new Refusal('error.invalid_text', {}, 400)
  context.query = Object.fromEntries(searchParams)
})
