/** JSON API of the usage log: entries and sums, of one user or of all. */
import { Elysia } from 'elysia'
import type { z } from 'zod'
import type { SessionUser } from '../../contracts/account.ts'
import type { Actor } from '../../contracts/actor.ts'
import { LogFilter, LogKeyword, type LogListing, LogQuery, LogsBefore, TokenLogQuery } from '../../contracts/log.ts'
import { pageOf } from '../../contracts/paging.ts'
import {
  clearingEnded,
  findByKeyword,
  findPage,
  type LogScope,
  scopeToAll,
  scopeToUser,
  startClearing,
} from '../../domain/logs/index.ts'
import { tokenIdByKey } from '../../domain/tokens/index.ts'
import { statOf } from '../../domain/usage/index.ts'
import type { Language } from '../../locales/languages.ts'
import { envelope, ok } from '../../web/envelope.ts'
import { languageFor } from '../../web/request.ts'
import { guard } from '../guard.ts'
import { entriesOf } from './entries.ts'

export const logApi = new Elysia({ prefix: '/api/log' })
  .use(envelope)
  .use(guard)
  .get(
    '/',
    async ({ request, query }) => ok(await listing(await scopeToAll(query), query, true, languageFor(request))),
    {
      admin: true,
      query: LogQuery,
    },
  )
  .get(
    '/self',
    async ({ request, query, caller }) =>
      ok(await listing(scopeToUser(query, caller.id), query, false, languageFor(request))),
    {
      signedIn: true,
      query: LogQuery,
    },
  )
  .get(
    '/search',
    async ({ request, query }) => ok(await entriesOf(await findByKeyword(query.keyword), true, languageFor(request))),
    { admin: true, query: LogKeyword },
  )
  .get(
    '/self/search',
    async ({ request, query, caller }) =>
      ok(await entriesOf(await findByKeyword(query.keyword, caller.id), false, languageFor(request))),
    { signedIn: true, query: LogKeyword },
  )
  .get('/token', async ({ request, query, caller }) => ofToken(caller, query, languageFor(request)), {
    signedIn: true,
    query: TokenLogQuery,
  })
  .get('/stat', async ({ query }) => ok(await statOf(await scopeToAll(query))), { admin: true, query: LogFilter })
  .get('/self/stat', async ({ query, caller }) => ok(await statOf(scopeToUser(query, caller.id))), {
    signedIn: true,
    query: LogFilter,
  })
  .delete('/', async ({ query, actor }) => ok(await clear(query.target_timestamp, actor)), {
    admin: true,
    query: LogsBefore,
  })

/** `data` is a bare array in this response, with `total` beside it. */
async function ofToken(caller: SessionUser, { key, ...paging }: z.output<typeof TokenLogQuery>, language: Language) {
  const scope = { user_id: caller.id, token_id: await tokenIdByKey(caller.id, key) }
  const { items, total, capped } = await listing(scope, paging, false, language)
  return { ...ok(items), total, capped }
}

/** A long clearing goes on after the response. */
const CLEARING_TIMEOUT_MS = 20_000

/** @returns the number of entries that go */
async function clear(before: number, actor: Actor): Promise<number> {
  const { total } = await startClearing(before, actor)
  await clearingEnded(CLEARING_TIMEOUT_MS)
  return total
}

async function listing(
  scope: LogScope,
  query: Parameters<typeof pageOf>[0],
  whole: boolean,
  language: Language,
): Promise<LogListing> {
  const page = pageOf(query, 1)
  const { rows, total, capped } = await findPage(scope, page)
  return { items: await entriesOf(rows, whole, language), page: page.page, page_size: page.size, total, capped }
}
