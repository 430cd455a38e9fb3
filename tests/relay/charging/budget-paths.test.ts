/** A budget for some calls at each path that is paid for, but for those of tasks (tests/relay/tasks/task-limits.test.ts). */
import { afterAll, expect, test } from 'bun:test'
import { providers } from '../../../src/providers/index.ts'
import { apiRoutes } from '../../../src/relay/endpoints/table.ts'
import { isOfThisSite } from '../../../src/relay/request/api-language.ts'
import { budgetsOf, keyOf, makeBudget } from '../../support/people/budgets.ts'
import { type Client, client, MODEL } from '../../support/people/client.ts'
import { until } from '../../support/until.ts'
import { listen } from '../../support/upstream/http-server.ts'
import { channelTo } from '../../support/upstream/served-channel.ts'

const [CALLS, FITTING] = [20, 3]
const operations = new Set(
  providers.flatMap(({ apis }) => Object.entries(apis)).flatMap(([name, api]) => (api?.task ? [name] : [])),
)
const routes = apiRoutes.filter(
  route => route.operation && !operations.has(route.operation) && route.handle && !isOfThisSite(route),
)

/** Answers none until it is let. */
let held = Promise.withResolvers<void>()
let taken = 0
const upstream = await listen(async (_, answer) => {
  taken++
  await held.promise
  await answer.json({ error: { message: 'no' } }, 400)
})
afterAll(() => upstream.stop())
await channelTo(`http://127.0.0.1:${upstream.port}`)

/** The fields of all formats at once. */
const body = {
  ...{ model: MODEL, max_tokens: 9, messages: [{ role: 'user', content: 'hello' }], input: 'hello', prompt: 'hello' },
  ...{ contents: [{ parts: [{ text: 'hello' }] }], content: { parts: [{ text: 'hello' }] }, voice: 'alloy' },
  ...{ query: 'hello', documents: ['hello'], requests: [{ content: { parts: [{ text: 'hello' }] } }] },
}

function form() {
  const fields = new FormData()
  fields.set('model', MODEL)
  fields.set('prompt', 'hello')
  for (const name of ['file', 'image']) fields.set(name, new File(['bytes'], `${name}.png`))
  return fields
}

const takesForm = /audio\/(transcriptions|translations)|images\/(edits|variations)|edits$/

const statusOf = async (who: Client, path: string) => {
  const { prompt: _, ...withoutPrompt } = body
  const own = path.startsWith('/v1/responses') ? withoutPrompt : body
  const named = path.replace('*', MODEL).replace(':model', MODEL)
  const answer = await who.postTo(named, takesForm.test(path) ? form() : own)
  await answer.text()
  return answer.status
}

test.each(routes.filter(({ method }) => method === 'POST').map(({ path }) => path))(
  '%s: calls beyond a budget are refused',
  async path => {
    held = Promise.withResolvers()
    const who = await client()
    const key = await keyOf(who)
    await makeBudget('token', key, { amount: FITTING })
    const before = taken
    const statuses: number[] = []
    const calls = Array.from({ length: CALLS }, async () => void statuses.push(await statusOf(who, path)))
    await until(() => statuses.length >= CALLS - FITTING && taken - before >= FITTING)
    expect([statuses, taken - before]).toEqual([Array(CALLS - FITTING).fill(429), FITTING])
    expect(await budgetsOf('token', key)).toMatchObject([{ used: 0, reserved: FITTING }])
    held.resolve()
    await Promise.all(calls)
    expect(await budgetsOf('token', key)).toMatchObject([{ used: 0, reserved: 0 }])
  },
)
