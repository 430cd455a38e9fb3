/** The wallet page without a script: redemption, confirmation, the form for the gateway, the state of an order. */
import { expect, test } from 'bun:test'
import { startDemoGateway } from '../../src/commands/demo/gateway.ts'
import { setOption } from '../support/app/options.ts'
import { openShop, ordersOf, pay, UNIT } from '../support/epay/shop.ts'
import { balance, type Person, setUp, visitor } from '../support/people/person.ts'

const root = await setUp()
const { merchant, order } = await openShop()

const textOf = async (person: Person, path: string, language: 'en' | 'zh' = 'en') =>
  (await person.page(path, { language })).text()

/** Fields of the first form with this target. */
function fieldsOf(html: string, action: string): Record<string, string> {
  const form = html.split('<form').find(part => part.includes(`action="${action}"`)) ?? ''
  const inputs = form.split('</form>')[0]!.matchAll(/<input[^>]*name="([^"]*)"[^>]*value="([^"]*)"/g)
  return Object.fromEntries([...inputs].map(([, name, value]) => [name!, value!.replaceAll('&amp;', '&')]))
}

const codeOf = async (quota: number): Promise<string> => {
  const { data } = await root.post('/api/redemption/', { name: 'slip', quota, count: 1 })
  return data[0].key ?? data[0]
}

test('a code of the address is shown as recognised, redeemed once, and its receipt follows', async () => {
  const ann = await visitor()
  const key = await codeOf(UNIT)
  const page = await textOf(ann, `/app/wallet?code=${key}`)
  expect([page.includes('Code recognised'), page.includes('Use another code')]).toEqual([true, true])
  const redeemed = await ann.form('/app/wallet/redeem', fieldsOf(page, '/app/wallet/redeem'))
  const receipt = redeemed.headers.get('location')!
  expect([redeemed.status, receipt]).toEqual([303, expect.stringMatching(/^\/app\/wallet\?redeemed=\d+$/)])
  const shown = await textOf(ann, receipt)
  expect([shown.includes('$1.00 was added to your balance'), shown.includes('class="receipt"')]).toEqual([true, true])
  expect(await balance(ann)).toBe(UNIT)
  const again = await ann.form('/app/wallet/redeem', { key })
  expect([again.status, (await again.text()).includes('This redemption code has been used')]).toEqual([422, true])
  const stranger = await textOf(await visitor(), receipt)
  expect(stranger.includes('was added to your balance')).toBe(false)
})

test('the wallet links to the statement beside its title', async () => {
  const page = await textOf(await visitor(), '/app/wallet')
  expect(/class="page-head"><h1>.*?<\/h1>.*?href="\/app\/statement"/s.test(page.split('id="wallet-figures"')[0]!)).toBe(
    true,
  )
})

test("the cashier of the demo speaks the reader's language, by the cookie of the console before the browser's", async () => {
  const { data } = await pay(await visitor())
  const cashier = async (headers: Record<string, string>) =>
    (
      await fetch(`${startDemoGateway()}/submit.php`, { method: 'POST', body: new URLSearchParams(data), headers })
    ).text()
  const [en, zh] = [
    await cashier({ 'accept-language': 'en' }),
    await cashier({ 'accept-language': 'en', cookie: 'language=zh' }),
  ]
  expect([en.includes('lang="en"'), en.includes('Pay ¥73.00'), en.includes('Back to the wallet')]).toEqual([
    true,
    true,
    true,
  ])
  expect([zh.includes('lang="zh-CN"'), zh.includes('支付 ¥73.00'), zh.includes('返回钱包')]).toEqual([true, true, true])
})

test('an empty code is refused at its field, in both languages', async () => {
  const ann = await visitor()
  for (const [language, message] of [
    ['en', 'Please enter a redemption code'],
    ['zh', '请输入兑换码'],
  ] as const) {
    const response = await ann.form('/app/wallet/redeem', { key: ' ' }, { language })
    expect([language, response.status, (await response.text()).includes(message)]).toEqual([language, 422, true])
  }
})

test('the button for codes leads to the shop, or tells that there is none', async () => {
  const ann = await visitor()
  const without = await textOf(ann, '/app/wallet?get-code')
  const message = 'The super admin has not set a top-up link'
  expect([without.includes(message), without.includes('Get a code')]).toEqual([true, true])
  await setOption('TopUpLink', 'https://shop.example/codes')
  const page = await textOf(ann, '/app/wallet?get-code')
  await setOption('TopUpLink', '')
  expect([page.includes(message), page.includes('href="https://shop.example/codes" target="_blank"')]).toEqual([
    false,
    true,
  ])
})

test('an amount is confirmed with its sum, ordered once, and posted to the gateway', async () => {
  const ann = await visitor()
  const page = await textOf(ann, '/app/wallet?amount=10&method=wxpay&confirm=1')
  expect([page.includes('Order this top-up?'), page.includes('Pay ¥73.00')]).toEqual([true, true])
  const form = fieldsOf(page, '/app/wallet/pay')
  const [first, second] = await Promise.all([ann.form('/app/wallet/pay', form), ann.form('/app/wallet/pay', form)])
  const path = first.headers.get('location')!
  expect([first.status, second.headers.get('location')]).toEqual([303, path])
  const [row] = await ordersOf(ann)
  expect(path).toBe(`/app/wallet/orders/${row!.id}/pay`)
  const response = await ann.page(path)
  expect(response.headers.get('content-security-policy')).toContain("form-action 'self' https: http:;")
  const data = fieldsOf(await response.text(), `${merchant.url}/submit.php`)
  const payment = await merchant.submit({ url: `${merchant.url}/submit.php`, data })
  const back = new URL(data.return_url!)
  const waiting = await textOf(ann, back.pathname + back.search)
  const reload = '<meta http-equiv="refresh" content="5"/>'
  expect([waiting.includes('Waiting for the payment'), waiting.includes(reload)]).toEqual([true, true])
  expect(await merchant.call(payment)).toBe('success')
  const paid = await textOf(ann, back.pathname + back.search)
  expect([paid.includes('$10.00 was added to your balance'), paid.includes(payment.trade_no)]).toEqual([true, true])
  expect([paid.includes(reload), (await ann.page(path)).status]).toEqual([false, 303])
  expect((await (await visitor()).page(back.pathname + back.search)).status).toBe(404)
})

test('an order is paid as the merchant at which it was placed, and as no other', async () => {
  const ann = await visitor()
  await pay(ann)
  const [row] = await ordersOf(ann)
  const path = `/app/wallet/orders/${row!.id}/pay`
  expect(await textOf(ann, path)).toContain('submit.php')
  await setOption('EpayId', 'another')
  const page = await textOf(ann, path)
  expect([page.includes('submit.php'), page.includes('has not enabled online top-up')]).toEqual([false, true])
})

test('the panel of an order polls, and brings the new balance with the receipt', async () => {
  const ann = await visitor()
  const payment = await order(ann)
  const [row] = await ordersOf(ann)
  const poll = () =>
    ann.page(`/app/wallet/orders/${row!.id}`, {
      headers: { 'hx-request': 'true', 'hx-request-type': 'partial', 'hx-target': 'section#order-panel' },
    })
  const waiting = await (await poll()).text()
  expect([waiting.includes('hx-trigger="every 3s'), waiting.includes('hx-swap-oob')]).toEqual([true, false])
  await merchant.call(payment)
  const paid = await (await poll()).text()
  expect([paid.includes('every 3s'), paid.includes('hx-swap-oob="true"'), paid.includes('$10.00')]).toEqual([
    ...[false, true, true],
  ])
  expect((await ann.page(`/app/wallet/orders/${row!.id}`)).status).toBe(303)
})

test('a price that changes before the order is confirmed again', async () => {
  const ann = await visitor()
  const form = fieldsOf(await textOf(ann, '/app/wallet?amount=10&method=alipay&confirm=1'), '/app/wallet/pay')
  await setOption('Price', 8)
  const refused = await ann.form('/app/wallet/pay', form)
  const path = refused.headers.get('location')!
  expect(path).toBe('/app/wallet?amount=10&method=alipay&confirm=1')
  expect((await textOf(ann, path)).includes('Pay ¥80.00')).toBe(true)
  expect(await ordersOf(ann)).toEqual([])
})

test.each([
  ['0', 'The amount must be a whole number of at least 1'],
  ['-5', 'The amount must be a whole number of at least 1'],
  ['1.5', 'The amount must be a whole number of at least 1'],
  ['1e3', 'The amount must be a whole number of at least 1'],
  ['ten', 'The amount must be a whole number of at least 1'],
  ['1', 'The top-up amount cannot be less than 2'],
  ['99999999', 'The top-up amount cannot be more than 1000000'],
])('the amount %s is refused at its field', async (amount, message) => {
  const ann = await visitor()
  await setOption('MinTopUp', 2)
  const shown = await ann.page(`/app/wallet?amount=${amount}&method=alipay&confirm=1`)
  expect([shown.status, (await shown.text()).includes(message)]).toEqual([422, true])
  const sent = await ann.form('/app/wallet/pay', { amount, method: 'alipay', money_cents: '1', form_id: '' })
  const html = await sent.text()
  expect([sent.status, html.includes(`id="field-amount-error"`), html.includes(message)]).toEqual([422, true, true])
  expect(await ordersOf(ann)).toEqual([])
})

test('a disabled top-up is told as a notice, and the rest of the wallet stays', async () => {
  const ann = await visitor()
  await setOption('EpayId', '')
  for (const [language, message] of [
    ['en', 'The administrator has not enabled online top-up'],
    ['zh', '管理员未开启在线充值'],
  ] as const) {
    const page = await textOf(ann, '/app/wallet', language)
    expect([page.includes(message), page.includes('name="amount"'), page.includes('name="key"')]).toEqual([
      ...[true, false, true],
    ])
  }
})
