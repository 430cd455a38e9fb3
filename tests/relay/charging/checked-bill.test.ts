/** Flaws of the gateway in front of a bill: they are logged, and the call is billed by the rule that they break. */
import { afterAll, afterEach, expect, spyOn, test } from 'bun:test'
import { bill, quotaOfLines } from '../../../src/billing/bill.ts'
import { usageOf } from '../../../src/billing/usage.ts'
import { priceFor } from '../../../src/domain/pricing/index.ts'
import { openAiChat } from '../../../src/formats/openai-chat/index.ts'
import { log } from '../../../src/process/log.ts'
import { checkedBill } from '../../../src/relay/charging/checked-bill.ts'
import { logsOf } from '../../support/app/logs.ts'
import { client, MODEL, quotaOf, RICH } from '../../support/people/client.ts'
import { chat } from '../../support/upstream/chat-scripts.ts'
import { served } from '../../support/upstream/served-channel.ts'

await served(chat())
const errors = spyOn(log, 'error').mockImplementation(() => {})
afterEach(() => void errors.mockClear())
afterAll(() => errors.mockRestore())

test.each([false, true])(
  'a call whose counts are no whole numbers is billed by what a bill counts, streamed %p',
  async stream => {
    const usage = usageOf({
      input: 10.7,
      cache_read: -3,
      output: 5.2,
      output_audio: Number.NaN,
      tools: { search: 0.5 },
    })
    const meter = spyOn(openAiChat, 'meter').mockReturnValue({ usage, by: 'upstream', doubts: [], missing: [] })
    const ann = await client()
    await (await ann.chat({ stream })).text()
    meter.mockRestore()
    const [entry] = await logsOf(ann.person)
    expect(entry).toMatchObject({ prompt_tokens: 10, completion_tokens: 5, quota: quotaOf(10, 5) })
    expect(await ann.balance()).toBe(RICH - quotaOf(10, 5))
    const counts = 'input is 10.7; cache_read is -3; output is 5.2; output_audio is NaN; search is 0.5'
    expect(errors.mock.calls).toEqual([['usage with wrong counts', { request_id: entry.request_id, counts }]])
  },
)

test('a call whose counts are whole logs no error', async () => {
  const ann = await client()
  await ann.chat()
  expect(errors.mock.calls).toEqual([])
})

const price = priceFor(MODEL, { group: 'default', user_group: 'default' })!

test('the sum of the lines of a bill is the bill, and 1 where that is below a half', () => {
  for (const usage of [
    { input: 1 },
    { input: 3, output: 7 },
    { cache_read: 1 },
    { input: 2 ** 52, output: 2 ** 52 },
    {},
  ]) {
    const made = bill(usageOf(usage), price)
    expect(checkedBill(made, price, 'id')).toBe(made)
  }
  expect(errors.mock.calls).toEqual([])
})

test('a bill that is not the sum of its lines costs that sum', () => {
  const { quota, lines } = bill(usageOf({ input: 1000, output: 10 }), price)
  for (const wrong of [quota + 1, 1, 0, -quota, Number.NaN, quota / 2 + 0.5])
    expect(checkedBill({ quota: wrong, lines }, price, 'id')).toEqual({ quota, lines })
  expect(errors).toHaveBeenCalledTimes(6)
  expect(quotaOfLines(lines, price)).toBe(quota)
})
