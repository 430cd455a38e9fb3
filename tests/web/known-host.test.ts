// @engine sqlite
/** The Host header at the door: every route refuses one that names no host, and orders and links never start with it. */
import { expect, test } from 'bun:test'
import { app } from '../support/app/app.ts'
import { setOption } from '../support/app/options.ts'
import { routes } from '../support/app/routes.ts'
import { openShop, ordersOf, pay } from '../support/epay/shop.ts'
import { HOME, setUp, visitor } from '../support/people/person.ts'

await setUp()

const send = (method: string, path: string, host: string) =>
  app.handle(new Request(HOME + path, { method, headers: { host, accept: 'text/html' }, redirect: 'manual' }))

/** The path of a route with a value in each place of a parameter. */
const filled = (path: string) => path.replaceAll(/:\w+\??/g, '1').replaceAll('*', 'x')

test('Host: every route of the console and of the models refuses a header that names no host with 400', async () => {
  expect(routes.length).toBeGreaterThan(400)
  for (const { method, path } of routes) {
    const verb = method === 'ALL' ? 'PATCH' : method
    const response = await send(verb, filled(path), 'a&trade_no=1&trade_status=TRADE_SUCCESS&tx=')
    expect([method, path, response.status]).toEqual([method, path, 400])
  }
})

test.each(['a=b', 'a,b', 'a b', 'a;b', "a'b", 'a%41', 'a/b', 'a@b', 'a?b', 'good, bad&x', '{}'])(
  'Host: %j names no host',
  async host => {
    const responses = await Promise.all(
      ['/healthz', '/login', '/api/status', '/v1/models'].map(path => send('GET', path, host)),
    )
    expect(responses.map(({ status }) => status)).toEqual([400, 400, 400, 400])
  },
)

test.each(['localhost', 'LOCALHOST:3000', '[::1]:3000', '10.0.0.1', 'xn--mnchen-3ya.de', 'my_gateway:3000'])(
  'Host: %j is served',
  async host => {
    expect((await send('GET', '/api/status', host)).status).toBe(200)
    expect((await send('GET', '/v1/models', host)).status).toBe(401)
  },
)

test('Host: without a server address no order is made, and none that waits is shown', async () => {
  const { order } = await openShop()
  const ann = await visitor()
  await order(ann)
  const [placed] = await ordersOf(ann)
  const address = { en: 'The administrator has to set the server address first', zh: '请管理员先设置服务器地址' }
  await setOption('ServerAddress', '')
  expect(await pay(ann)).toMatchObject({
    ...{ success: false, code: 'payment.no_server_address' },
    ...{ message: expect.stringContaining(address.en), data: expect.stringContaining(address.en) },
  })
  const chinese = await ann.post('/api/user/pay', { amount: 10, payment_method: 'zfb' }, { language: 'zh' })
  expect(chinese.data).toContain(address.zh)
  const page = await ann.form('/app/wallet/pay', { amount: '10', method: 'alipay', money_cents: '7300' })
  expect([page.status, await page.text()]).toEqual([422, expect.stringContaining(address.en)])
  const shown = await ann.page(`/app/wallet/orders/${placed!.id}/pay`)
  expect((await shown.text()).includes('notify_url')).toBe(false)
  expect(await ordersOf(ann)).toHaveLength(1)
})
