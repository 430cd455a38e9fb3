/** JSON API of the API keys of the signed-in user. */
import { Elysia } from 'elysia'
import { z } from 'zod'
import { Id, type Listing, optional, PAGE_SIZE_MAX, pageOf } from '../../contracts/paging.ts'
import { parse } from '../../contracts/parse.ts'
import { notFound } from '../../contracts/refusal.ts'
import { NewToken, type Token, TokenEdit, TokenStatus, TokenSwitch } from '../../contracts/token.ts'
import {
  createTokens,
  deleteTokens,
  disableTokens,
  editToken,
  enableToken,
  listTokens,
  tokenOf,
} from '../../domain/tokens/index.ts'
import { envelope, ok } from '../../web/envelope.ts'
import { guard } from '../guard.ts'

const ListQuery = z.object({ p: optional, size: optional })
const SearchQuery = z.object({
  keyword: optional,
  token: optional,
  p: optional,
  size: optional.transform(size => size ?? String(PAGE_SIZE_MAX)),
})
const EditQuery = z.object({ status_only: optional })

/** `data` is a bare array in this response, with `total` beside it. */
const listing = ({ items, total }: Listing<Token>) => ({ ...ok(items), total })

/** @throws Refusal 404, or for an expired or exhausted token */
async function switchToken(user_id: number, { id, status }: z.output<typeof TokenSwitch>): Promise<Token> {
  if (status === TokenStatus.enabled) return enableToken(user_id, id)
  await disableTokens(user_id, [id])
  return tokenOf(user_id, id)
}

/** @throws Refusal 404 when the list is empty. */
async function oneOf(tokens: Promise<Token[]>): Promise<Token> {
  const [token] = await tokens
  if (!token) throw notFound('token.not_found')
  return token
}

export const tokenApi = new Elysia()
  .use(envelope)
  .use(guard)
  .get('/api/token/', async ({ caller, query }) => listing(await listTokens(caller.id, pageOf(query, 0))), {
    signedIn: true,
    query: ListQuery,
  })
  .get(
    '/api/token/search',
    async ({ caller, query: { keyword, token, ...paging } }) =>
      listing(await listTokens(caller.id, pageOf(paging, 0), { name: keyword, key: token })),
    { signedIn: true, query: SearchQuery },
  )
  .get('/api/token/:id', async ({ caller, params }) => ok(await tokenOf(caller.id, params.id)), {
    signedIn: true,
    params: Id,
  })
  .post(
    '/api/token/',
    async ({ caller, body }) => {
      const fields = parse(NewToken, body)
      const tokens = await createTokens(caller, fields)
      return ok(fields.count === 1 ? tokens[0]! : tokens)
    },
    { signedIn: true },
  )
  .put(
    '/api/token/',
    async ({ caller, body, query }) =>
      ok(
        query.status_only
          ? await switchToken(caller.id, parse(TokenSwitch, body))
          : await editToken(caller, parse(TokenEdit, body)),
      ),
    { signedIn: true, query: EditQuery },
  )
  .delete(
    '/api/token/:id',
    async ({ caller, params }) => {
      await oneOf(deleteTokens(caller.id, [params.id]))
      return ok(null)
    },
    { signedIn: true, params: Id },
  )
