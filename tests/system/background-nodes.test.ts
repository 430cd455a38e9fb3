// @engine postgres
/** Stored and background responses over two nodes: each knows what the other has made as soon as its client does. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newFolder, type Server, startServer } from '../support/app/server.ts'
import { makeSite, setOption } from '../support/app/site.ts'
import { until } from '../support/until.ts'
import { keepingUpstream } from '../support/upstream/keeping-upstream.ts'

const model = 'gpt-4o-mini'
const folder = newFolder()
const settings = { folder, env: { DATABASE_URL: process.env.DATABASE_URL! } }
const upstream = keepingUpstream()
const nodes: Server[] = []
let key: string
beforeAll(async () => {
  nodes.push(await startServer(settings))
  key = await makeSite(nodes[0]!.url, upstream, model)
  nodes.push(await startServer(settings))
})
afterAll(() => Promise.all(nodes.map(node => node.stop('SIGKILL'))))

async function ask(node: number, path: string, body?: object) {
  const response = await fetch(nodes[node]!.url + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer sk-${key}` },
    body: body && JSON.stringify(body),
  })
  return (await response.json()) as { id: string; status: string }
}

test('a conversation goes on at the other node at once', async () => {
  for (let round = 0; round < 20; round++) {
    const made = await ask(round % 2, '/v1/responses', { model, input: 'Go' })
    const next = await ask((round + 1) % 2, '/v1/responses', { model, input: 'And?', previous_response_id: made.id })
    expect(next).toMatchObject({ object: 'response', status: 'completed' })
  }
})

test('a response in the background is fetched from the other node in every state', async () => {
  const release = upstream.holdStreams()
  const { id } = await ask(0, '/v1/responses', { model, input: 'Go', background: true })
  expect(await ask(1, `/v1/responses/${id}`)).toMatchObject({ id, status: 'in_progress' })
  release()
  const whole = await until(async () => {
    const found = await ask(1, `/v1/responses/${id}`)
    return found.status === 'in_progress' ? undefined : found
  })
  expect(whole).toMatchObject({ id, status: 'completed' })
  expect(await ask(0, `/v1/responses/${id}`)).toEqual(whole)
})

test.each([
  ['cancelled', 'POST', '/cancel'],
  ['deleted', 'DELETE', ''],
])('a response that is %s at the other node leaves its silent upstream', async (_, method, path) => {
  await setOption(nodes[0]!.url, 'SettleAfterLeave', 0)
  upstream.holdStreams()
  const { id } = await ask(0, '/v1/responses', { model, input: method, background: true })
  const call = await until(() => upstream.calls.find(({ body }) => body.stream && body.input === method))
  await until(async () => (await ask(1, `/v1/responses/${id}`)).status === 'in_progress')
  expect(call.signal.aborted).toBe(false)
  const answer = await fetch(`${nodes[1]!.url}/v1/responses/${id}${path}`, {
    ...{ method, headers: { authorization: `Bearer sk-${key}` } },
  })
  expect(answer.status).toBe(200)
  await until(() => call.signal.aborted)
})
