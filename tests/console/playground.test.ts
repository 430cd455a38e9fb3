/** The playground page, the models of a group, and receipts of answers. */
import { expect, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import { logsOf } from '../support/app/logs.ts'
import { setOption } from '../support/app/options.ts'
import { MODEL, quotaOf, RICH } from '../support/people/client.ts'
import { anyone, visitor } from '../support/people/person.ts'
import { play } from '../support/people/playground.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../support/upstream/served-channel.ts'

const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }
const upstream = await startUpstream(chat({ text: 'Hello', usage }))
await channelTo(upstream, { group: 'default,vip,closed' })
await channelTo(upstream, { group: 'vip', models: 'gpt-4o-mini,no-price,mj_imagine,m3e-large,jina-reranker-v2' })
await setOption('GroupRatio', '{"default":1,"vip":2,"closed":1}')
await setOption('UserUsableGroups', '{"default":"Everyone","vip":"Quick lane"}')

const pageOf = async (
  person: { page(path: string, options?: object): Promise<Response> },
  path: string,
  language = 'en',
) => {
  const response = await person.page(path, { language })
  return { response, html: await response.text() }
}

/** What a browser without JavaScript shows. */
const plainIn = (html: string) => /<noscript>(.*?)<\/noscript>/s.exec(html)![1]!

test('the page reads without JavaScript: groups, models, base URL and a command', async () => {
  const ann = await visitor()
  const plain = plainIn((await pageOf(ann, '/playground')).html)
  expect(plain).toContain('default ×1 · Everyone')
  expect(plain).toContain('vip ×2 · Quick lane')
  expect(plain).not.toContain('closed')
  expect(plain).toContain('http://localhost/v1/chat/completions')
  expect(plain).toContain('&lt;YOUR_KEY&gt;')
  expect(/<option[^>]*>gpt-4o-mini/.test(plain)).toBe(false)
  expect(plainIn((await pageOf(ann, '/playground', 'zh')).html)).toContain('操练场')
})

test('the model is the default where it is offered, the first one elsewhere, or that of the address', async () => {
  const ann = await visitor()
  const chosen = async (query: string) =>
    [...plainIn((await pageOf(ann, `/playground${query}`)).html).matchAll(/<option[^>]*selected[^>]*>([^<]*)/g)].map(
      ([, text]) => text!.split(' ')[0],
    )
  expect(await chosen('')).toEqual(['default', MODEL])
  expect(await chosen('?group=vip')).toEqual(['vip', 'gpt-4o-mini'])
  expect(await chosen('?model=no-price')).toEqual(['vip', 'no-price'])
  expect(await chosen('?group=closed&model=nonsense')).toEqual(['default', MODEL])
})

test('visitors sign in first, and an expired session is named', async () => {
  const away = await anyone.page('/playground')
  expect([away.status, away.headers.get('location')]).toEqual([303, '/login?returnTo=%2Fplayground'])
  const ann = await visitor()
  const words = { en: 'Not logged in or login expired, please log in again', zh: '未登录或登录已过期，请重新登录' }
  for (const [language, sentence] of Object.entries(words)) {
    const alert = new RegExp(`role="alert">.{0,500}${sentence}`, 's')
    expect(alert.test((await pageOf(ann, '/playground?expired', language)).html)).toBe(true)
    expect(alert.test((await pageOf(ann, '/playground', language)).html)).toBe(false)
  }
})

test('models come with their prices in the group, and only those of usable groups', async () => {
  const ann = await visitor()
  const models = async (query: string) => (await ann.get(`/api/playground/models${query}`)).data
  const usd = { input: 2.5, output: 10 }
  expect(await models('?group=default')).toEqual([{ name: MODEL, ...usd }])
  expect(await models('?group=vip')).toEqual([
    { name: MODEL, input: 2 * usd.input, output: 2 * usd.output },
    { name: 'gpt-4o-mini', input: expect.any(Number), output: expect.any(Number) },
    { name: 'no-price' },
  ])
  expect([await models('?group=closed'), await models('')]).toEqual([[], []])
  expect((await anyone.get('/api/playground/models?group=default')).status).toBe(401)
})

test('an answer has a receipt for the user who asked, and for nothing but the playground', async () => {
  const [ann, ben] = [await visitor(Role.user, RICH), await visitor(Role.user, RICH)]
  const response = await play(ann, { stream: true })
  const id = response.headers.get('x-request-id')!
  await response.text()
  await logsOf(ann)
  const { data } = await ann.get(`/api/playground/receipt/${id}`)
  expect(data).toMatchObject({ prompt_tokens: 100, completion_tokens: 20, duration_ms: expect.any(Number) })
  expect(data.slip).toMatchObject({
    ...{ title: MODEL, who: 'streamed', quota: quotaOf(100, 20), request_id: id, group: { name: 'default', ratio: 1 } },
    lines: [
      { bucket: 'Input', count: 100, unit_price: 2.5 },
      { bucket: 'Output', count: 20, unit_price: 10 },
    ],
  })
  expect((await ben.get(`/api/playground/receipt/${id}`)).data).toBeNull()
  expect((await ann.get('/api/playground/receipt/req_unknown')).data).toBeNull()
  expect((await ann.get('/api/playground/receipt/%00')).status).toBe(404)
  const zh = await ann.get(`/api/playground/receipt/${id}`, { language: 'zh' })
  expect(zh.data.slip.lines[0].bucket).toBe('输入')
})
