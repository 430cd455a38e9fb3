/** A budget for seven calls at each path that is paid for, but for those of tasks (tests/relay/tasks/task-limits.test.ts). */
import { afterAll, expect, test } from 'bun:test'
import type { BudgetOwner } from '../../../src/contracts/budget.ts'
import { TRY_IT_PATH, tryItRequest } from '../../../src/contracts/try-it.ts'
import { providers } from '../../../src/providers/index.ts'
import { apiRoutes } from '../../../src/relay/endpoints/table.ts'
import { isOfThisSite } from '../../../src/relay/request/api-language.ts'
import { setOption } from '../../support/app/options.ts'
import { budgetsOf, keyOf, makeBudget } from '../../support/people/budgets.ts'
import { type Client, client, MODEL } from '../../support/people/client.ts'
import { PLAYGROUND, play } from '../../support/people/playground.ts'
import { dial, REALTIME_MODEL } from '../../support/people/realtime-client.ts'
import { until } from '../../support/until.ts'
import { listen } from '../../support/upstream/http-server.ts'
import { realtimeModel } from '../../support/upstream/realtime-model.ts'
import { channelTo } from '../../support/upstream/served-channel.ts'

const [CALLS, FITTING] = [100, 7]
const operations = new Set(
  providers.flatMap(({ apis }) => Object.entries(apis)).flatMap(([name, api]) => (api?.task ? [name] : [])),
)
const PLAYGROUND_TASKS = '/pg/tasks/'
const paid = apiRoutes.filter(
  ({ operation, ...route }) => operation || (isOfThisSite(route) && route.method === 'POST'),
)
const routes = paid.filter(
  ({ operation = '', path, handle }) => handle && !operations.has(operation) && !path.startsWith(PLAYGROUND_TASKS),
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
const voice = realtimeModel()
afterAll(() => voice.stop())
await channelTo(voice.url, { models: REALTIME_MODEL })

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

function send(who: Client, path: string): Promise<Response> {
  if (path === PLAYGROUND) return play(who.person)
  const { prompt: _, ...withoutPrompt } = body
  const own = path.startsWith('/v1/responses') ? withoutPrompt : body
  const named = path.replace('*', MODEL).replace(':model', MODEL)
  const headers = path === TRY_IT_PATH ? { 'sec-fetch-site': 'same-origin' } : undefined
  const asked = path === TRY_IT_PATH ? tryItRequest(MODEL, 'hello') : takesForm.test(path) ? form() : own
  return who.postTo(named, asked, headers && { headers })
}

const statusOf = async (who: Client, path: string) => {
  const answer = await send(who, path)
  await answer.text()
  return answer.status
}

/** The visitors of the site call with the key of its operator. */
async function offerTryIt({ key }: Client) {
  await setOption('TryItKey', `sk-${key}`)
  await setOption('TryItModel', MODEL)
  await setOption('TryItHourlyCalls', 1000)
}

/** A caller with a budget: of the key, or of the user at a path without one. */
async function limited(path: string) {
  const who = await client()
  const owner: BudgetOwner = path === PLAYGROUND ? 'user' : 'token'
  const id = owner === 'user' ? who.person.id : await keyOf(who)
  if (path === TRY_IT_PATH) await offerTryIt(who)
  await makeBudget(owner, id, { amount: FITTING })
  return { who, budgets: () => budgetsOf(owner, id) }
}

test.each(routes.filter(({ method }) => method === 'POST').map(({ path }) => path))(
  '%s: calls beyond a budget are refused',
  async path => {
    held = Promise.withResolvers()
    const { who, budgets } = await limited(path)
    const before = taken
    const statuses: number[] = []
    const calls = Array.from({ length: CALLS }, async () => void statuses.push(await statusOf(who, path)))
    await until(() => statuses.length >= CALLS - FITTING && taken - before >= FITTING)
    expect([statuses, taken - before]).toEqual([Array(CALLS - FITTING).fill(429), FITTING])
    expect(await budgets()).toMatchObject([{ used: 0, reserved: FITTING }])
    held.resolve()
    await Promise.all(calls)
    expect(await budgets()).toMatchObject([{ used: 0, reserved: 0 }])
  },
)

test.each(routes.filter(({ method }) => method === 'GET').map(({ path }) => path))(
  '%s: sessions beyond a budget are refused',
  async path => {
    const { who, budgets } = await limited(path)
    const at = `${path}?model=${REALTIME_MODEL}`
    const dialled = Array.from({ length: CALLS }, () => dial(who, at).catch(({ message }: Error) => message))
    const results = await Promise.all(dialled)
    const refusals = results.filter(result => typeof result === 'string')
    expect(refusals.length).toBe(CALLS - FITTING)
    expect(refusals.filter(message => !message.includes('429'))).toEqual([])
    expect(await budgets()).toMatchObject([{ used: 0, reserved: FITTING }])
    for (const session of results) if (typeof session !== 'string') session.socket.close()
    await until(async () => (await budgets())[0]!.reserved === 0)
  },
)
