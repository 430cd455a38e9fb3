/** What a caller without quota reads: sums as the wallet shows them, and where there is more. */
import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { ClientFormatName } from '../../../src/formats/canonical/chat.ts'
import { formats } from '../../../src/formats/index.ts'
import { setOption } from '../../support/app/options.ts'
import { client, MODEL } from '../../support/people/client.ts'
import { callIn, channelFor, serverOf } from '../../support/upstream/translation.ts'

/** $0.001 at the usual rate. */
const LEFT = 500

beforeAll(async () => {
  await channelFor('openai-chat')
})
afterEach(async () => {
  await setOption('ServerAddress', '')
  await setOption('DisplayInCurrencyEnabled', true)
})

const messageIn = async (response: Response): Promise<string> => ((await response.json()) as any).error.message

const long = { max_tokens: 4000, max_completion_tokens: 4000 }

describe('a call beyond the quota', () => {
  test.each(formats)('names both sums in dollars to clients of %s', async (format: ClientFormatName) => {
    await setOption('ServerAddress', 'https://gate.example')
    const response = await callIn(format, await client({}, LEFT))
    expect(response.status).toBe(403)
    const message = await messageIn(response)
    expect(message).toMatch(
      /needs up to \$0\.\d{2,8}, \$0\.001 is left\. Top up at https:\/\/gate\.example\/app\/wallet/,
    )
    expect(message).not.toContain('$0.00,')
  })

  test('names them in Chinese, and a path where the site has no address', async () => {
    const poor = await client({}, LEFT)
    const response = await poor.chat(long, { headers: { 'accept-language': 'zh' } })
    expect(await messageIn(response)).toMatch(/本次调用最多需要 \$0\.\d+，剩余 \$0\.001。请前往 \/app\/wallet 充值/)
  })

  test("names the key's own quota and its page", async () => {
    const poor = await client({ unlimited_quota: false, remain_quota: 1 })
    expect(await messageIn(await poor.chat(long))).toMatch(
      /^Insufficient quota of the API key: .* \$0\.000002 is left\. Raise its quota at \/app\/tokens/,
    )
    const chinese = await poor.chat(long, { headers: { 'accept-language': 'zh' } })
    expect(await messageIn(chinese)).toContain('API 密钥额度不足')
  })

  test('names units where the site shows units', async () => {
    await setOption('DisplayInCurrencyEnabled', false)
    const poor = await client({}, 1500)
    expect(await messageIn(await poor.chat({ model: MODEL, max_tokens: 9000 }))).toMatch(/up to [\d,]+, 1,500 is left/)
  })
})

/** The upstream writes more than the balance pays for, and reports nothing. */
const writesOn = () =>
  serverOf('openai-chat').scripts(async answer => {
    await answer.head(200, { 'content-type': 'text/event-stream' }, 'chunked')
    const delta = { choices: [{ index: 0, delta: { content: 'word '.repeat(100) }, finish_reason: null }] }
    for (let chunk = 0; chunk < 90 && !answer.gone; chunk++) await answer.write(`data: ${JSON.stringify(delta)}\n\n`)
    await answer.left
  })

describe('a stream beyond the quota', () => {
  test.each(formats)('names both sums of the whole call to clients of %s', async (format: ClientFormatName) => {
    writesOn()
    const text = await (await callIn(format, await client({}, 12_000), { stream: true })).text()
    const [, needed, left] =
      /needs up to \$([\d.]+), \$([\d.]+) is left\. Top up at [^ ]*\/app\/wallet/.exec(text) ?? []
    expect(left).toBe('0.024')
    expect(Number(needed)).toBeGreaterThan(0.024)
  })

  test("names the key's own quota and its page, in the language of the client", async () => {
    writesOn()
    const poor = await client({ unlimited_quota: false, remain_quota: 12_000 })
    const response = await poor.chat({ stream: true }, { headers: { 'accept-language': 'zh' } })
    expect(await response.text()).toMatch(
      /API 密钥额度不足：本次调用最多需要 \$0\.\d+，剩余 \$0\.024。请前往 [^ ]*\/app\/tokens/,
    )
  })
})
