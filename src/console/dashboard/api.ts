/** JSON API of usage by model and hour, of one user or of all, for the dashboards of clients. */
import { Elysia } from 'elysia'
import { AffinityQuery, DataQuery } from '../../contracts/dashboard.ts'
import { scopeToAll } from '../../domain/logs/index.ts'
import { envelope, ok } from '../../web/envelope.ts'
import { guard } from '../guard.ts'
import { affinityFigures, dataRows, ownSpanOf, spanOf } from './data.ts'

export const dataApi = new Elysia({ prefix: '/api/data' })
  .use(envelope)
  .use(guard)
  .get('/', async ({ query }) => ok(await rowsFor(query)), { admin: true, query: DataQuery })
  .get('/affinity', async ({ query }) => ok(await affinityFigures(query)), { admin: true, query: AffinityQuery })
  .get('/self', async ({ query, caller }) => ok(await dataRows(ownSpanOf(query), caller)), {
    signedIn: true,
    query: DataQuery,
  })

/** Rows of the user who has this name now, or of all users. */
async function rowsFor({ username, ...query }: DataQuery) {
  const { user_id } = await scopeToAll({ username })
  return dataRows(spanOf(query), user_id === undefined ? undefined : { id: user_id, username: username! })
}
