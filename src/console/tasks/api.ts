/** JSON API of the lists of tasks: drawings and others, of one user or of all. `data` is a bare array, with `total` beside it. */
import { Elysia } from 'elysia'
import type { z } from 'zod'
import { pageOf } from '../../contracts/paging.ts'
import { DrawingQuery, platformsOf, type TaskLog, TaskQuery } from '../../contracts/task-list.ts'
import { countTasks, listTasks, type TaskScope, userIdOf } from '../../domain/tasks/index.ts'
import { envelope, ok } from '../../web/envelope.ts'
import { siteOf } from '../../web/request.ts'
import { guard } from '../guard.ts'
import { drawingOf, named, taskOf } from './entries.ts'

export const taskApi = new Elysia({ prefix: '/api' })
  .use(envelope)
  .use(guard)
  .get(
    '/mj/',
    async ({ query, request, server }) =>
      drawings(await scopeToAll(drawingFilter(query), query), query, siteOf(request, server)),
    { admin: true, query: DrawingQuery },
  )
  .get(
    '/mj/self',
    ({ query, caller, request, server }) =>
      drawings(scopeToOwner(drawingFilter(query), caller.id), query, siteOf(request, server)),
    { signedIn: true, query: DrawingQuery },
  )
  .get('/task/', async ({ query }) => tasks(await scopeToAll(taskFilter(query), query), query), {
    admin: true,
    query: TaskQuery,
  })
  .get('/task/self', ({ query, caller }) => tasks(scopeToOwner(taskFilter(query), caller.id), query), {
    signedIn: true,
    query: TaskQuery,
  })

async function drawings(scope: TaskScope, query: object, site: string) {
  const { items, ...beside } = await listing(scope, query)
  return { ...ok(items.map(item => drawingOf(item, site))), ...beside }
}

async function tasks(scope: TaskScope, query: object) {
  const { items, ...beside } = await listing(scope, query)
  return { ...ok(items.map(taskOf)), ...beside }
}

async function listing(scope: TaskScope, query: object) {
  const { size, offset } = pageOf({ ...query }, 0)
  const part = { limit: size, offset }
  const rows = await listTasks(scope, part)
  return { items: await named(rows, !scope.is_owner), ...(await countTasks(scope, part, rows.length)) }
}

type Filter = Omit<TaskScope, 'user_id' | 'is_owner' | 'channel_id'>

const drawingFilter = ({ mj_id, start_timestamp, end_timestamp, ...rest }: z.output<typeof DrawingQuery>): Filter => ({
  ...filterOf('drawing', rest),
  ...{ upstream_id: mj_id, from_ms: start_timestamp || undefined, to_ms: end_timestamp || undefined },
})

function taskFilter({
  task_id,
  platform,
  start_timestamp,
  end_timestamp,
  ...rest
}: z.output<typeof TaskQuery>): Filter {
  const { platforms, ...filter } = filterOf('tasks', rest)
  return {
    ...filter,
    platforms: platform === undefined ? platforms : platforms.filter(one => one === platform),
    task_id,
    from_ms: start_timestamp ? start_timestamp * MS_PER_SECOND : undefined,
    to_ms: end_timestamp ? end_timestamp * MS_PER_SECOND + MS_PER_SECOND - 1 : undefined,
  }
}

const MS_PER_SECOND = 1000

const filterOf = (log: TaskLog, { action, status }: Pick<z.output<typeof TaskQuery>, 'action' | 'status'>) => ({
  platforms: platformsOf(log),
  action,
  statuses: status && [status],
})

const scopeToOwner = (filter: Filter, user_id: number): TaskScope => ({ ...filter, user_id, is_owner: true })

async function scopeToAll(
  filter: Filter,
  { username, channel_id }: { username?: string; channel_id?: number },
): Promise<TaskScope> {
  return { ...filter, channel_id, user_id: username === undefined ? undefined : await userIdOf(username) }
}
