/** Orders of online top-ups: sums, forms for the gateway, limits. */
import { expect, test } from 'bun:test'
import { shiftClock } from '../../src/process/clock.ts'
import { setOption } from '../support/app/options.ts'
import { epaySign, type Fields } from '../support/epay/merchant.ts'
import { DAY_SECONDS, openShop, ordersOf, pay, UNIT } from '../support/epay/shop.ts'
import { setUp, visitor } from '../support/people/person.ts'

const root = await setUp()
const { merchant } = await openShop()

test('the signature of Epay is that of its published example', () => {
  expect(epaySign({ money: 'moneyv', device: 'devicev' }, '1234567')).toBe('3854cc9f022e0fb821bd2e002260245d')
})

test('POST /api/user/amount answers the exact sum', async () => {
  const ann = await visitor()
  expect(await ann.post('/api/user/amount', { amount: 10, top_up_code: '' })).toEqual({
    ...{ status: 200, success: true, message: 'success', data: '73.00' },
  })
  for (const [price, ratio, amount, sum] of [
    [7.3, 0, 3, '21.90'],
    [0.07, 1, 1, '0.07'],
    [1.005, 1, 1, '1.01'],
    [0.1, 0.3, 1, '0.03'],
    [8.4, 1.15, 7, '67.62'],
    [7.3, 1, 1_000_000, '7300000.00'],
  ] as const) {
    await setOption('Price', price)
    await setOption('TopupGroupRatio', JSON.stringify({ default: ratio }))
    expect([price, ratio, (await ann.post('/api/user/amount', { amount })).data]).toEqual([price, ratio, sum])
  }
})

test('an amount that is no whole number in range is refused in both languages', async () => {
  const ann = await visitor()
  await setOption('MinTopUp', 5)
  const invalid = 'The amount must be a whole number of at least 1'
  for (const [amount, message] of [
    [-1, invalid],
    [0, invalid],
    [1.5, invalid],
    ['1e3', invalid],
    ['ten', invalid],
    [null, invalid],
    [2 ** 53, invalid],
    [4, 'The top-up amount cannot be less than 5'],
    [10 ** 15, 'The top-up amount cannot be more than 1000000'],
  ] as const)
    for (const [path, more] of Object.entries({ amount: {}, pay: { payment_method: 'zfb' } }))
      expect([amount, path, await ann.post(`/api/user/${path}`, { amount, ...more })]).toMatchObject([
        ...[amount, path],
        { status: 400, success: false, message, data: message, field: 'amount' },
      ])
  expect((await ann.post('/api/user/amount', { amount: 10 ** 18 })).status).toBe(400)
  expect((await ann.post('/api/user/pay', { amount: 4, payment_method: 'zfb' }, { language: 'zh' })).data).toBe(
    '充值数量不能小于 5',
  )
  await setOption('Price', 0.000001)
  expect(await ann.post('/api/user/amount', { amount: 5 })).toMatchObject({
    ...{ message: 'The top-up amount is too low', data: 'The top-up amount is too low', code: 'payment.too_low' },
  })
  expect(await ordersOf(ann)).toEqual([])
})

test('in units, an amount is worth the minimum at least and the maximum at most, also where a unit is no whole quota', async () => {
  const ann = await visitor()
  await setOption('DisplayInCurrencyEnabled', false)
  await setOption('QuotaPerUnit', 1000.4)
  const sumOf = async (amount: number) => (await ann.post('/api/user/amount', { amount })).data
  expect(await sumOf(1000)).toBe('The top-up amount cannot be less than 1001')
  expect(await sumOf(1001)).toBe('7.30')
  expect(await sumOf(1_000_400_000)).toBe('7300000.00')
  expect(await sumOf(1_000_400_001)).toBe('The top-up amount cannot be more than 1000400000')
})

test('a ratio of -1 or NaN cannot be stored, and a method that is unknown is refused', async () => {
  for (const value of ['{"default":-1}', '{"default":NaN}', '{"default":"NaN"}'])
    expect((await root.put('/api/option/', { key: 'TopupGroupRatio', value })).success).toBe(false)
  const ann = await visitor()
  for (const method of ['card', '', 'ZFB', 'constructor', 5, null])
    expect(await pay(ann, 10, method)).toMatchObject({
      ...{ status: 400, message: 'Please choose Alipay (zfb) or WeChat Pay (wx)' },
    })
  const types = []
  for (const method of ['zfb', 'alipay', 'wx', 'wxpay']) types.push((await pay(ann, 10, method)).data.type)
  expect(types).toEqual(['alipay', 'alipay', 'wxpay', 'wxpay'])
})

test('POST /api/user/pay answers a signed form for an order with quota and sum', async () => {
  const ann = await visitor()
  await setOption('CustomCallbackAddress', 'https://callback.example/')
  const { url, data, ...answer } = await pay(ann, 10)
  await setOption('CustomCallbackAddress', '')
  const site = new URL((await ann.get('/api/status')).data.server_address).origin
  const [row] = await ordersOf(ann)
  expect(answer).toEqual({ status: 200, success: true, message: 'success' })
  expect(url).toBe(`${merchant.url}/submit.php`)
  const { sign, ...fields } = data as Fields
  expect(fields).toEqual({
    ...{ pid: merchant.pid, type: 'alipay', out_trade_no: row!.trade_no, name: 'TUC10', money: '73.00', device: 'pc' },
    notify_url: 'https://callback.example/api/user/epay/notify',
    return_url: `${site}/app/wallet?order=${row!.id}`,
    sign_type: 'MD5',
  })
  expect(sign).toBe(epaySign(fields))
  expect(row).toMatchObject({ status: 'pending', quota: 10 * UNIT, money_cents: 7300, amount: 10, method: 'alipay' })
})

test('trade numbers have 128 random bits, and open orders are capped', async () => {
  const ann = await visitor()
  const answers = await Promise.all(Array.from({ length: 30 }, () => pay(ann)))
  expect(answers.filter(({ success }) => success)).toHaveLength(10)
  expect(answers.find(({ success }) => !success)).toMatchObject({ code: 'payment.too_many_open' })
  const numbers = (await ordersOf(ann)).map(({ trade_no }) => trade_no)
  expect(new Set(numbers).size).toBe(10)
  for (const number of numbers) expect(number).toMatch(new RegExp(`^USR${ann.id}NO[0-9A-Za-z]{22}$`))
  shiftClock(DAY_SECONDS + 1)
  expect((await pay(ann)).success).toBe(true)
  shiftClock(-DAY_SECONDS - 1)
})

test('an idempotency key makes one order, and another body under it is refused', async () => {
  const ann = await visitor()
  const header = { 'idempotency-key': 'pay-1' }
  const [first, ...others] = await Promise.all(Array.from({ length: 5 }, () => pay(ann, 10, 'zfb', header)))
  for (const other of others) expect(other).toEqual(first!)
  expect(await ordersOf(ann)).toHaveLength(1)
  expect(await pay(ann, 11, 'zfb', header)).toMatchObject({ status: 422, code: 'error.idempotency_key_reused' })
  expect(await ordersOf(ann)).toHaveLength(1)
})
