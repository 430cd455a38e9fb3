/** Calls without a limit of output tokens, or with one that the balance does not pay for. */
import { beforeEach, describe, expect, test } from 'bun:test'
import type { ClientFormatName } from '../../../src/formats/canonical/chat.ts'
import { setOption } from '../../support/app/options.ts'
import { setPrice } from '../../support/app/prices.ts'
import { type Client, client } from '../../support/people/client.ts'
import { setUp } from '../../support/people/person.ts'
import { channelOf } from '../../support/upstream/format-upstreams.ts'
import {
  atOnce,
  type MaxOutputUpstream,
  maxOutputUpstream,
  PROMPT,
} from '../../support/upstream/max-output-upstream.ts'

type Json = Record<string, any>

const formats = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const
const upstreams = {} as Record<ClientFormatName, MaxOutputUpstream>
/** A model of each upstream; no table knows their names. */
const modelOf = (format: ClientFormatName) => `tireless-${format.split('-').at(-1)}`
for (const format of formats) {
  upstreams[format] = await maxOutputUpstream(format)
  await channelOf(format, upstreams[format], { models: modelOf(format) })
}
/** Only the Responses API serves it. */
const RESPONSES_ONLY = 'codex-mini-latest'
const REASONING = 'o3'
await channelOf('openai-responses', upstreams['openai-responses'], { models: RESPONSES_ONLY })
await channelOf('openai-chat', upstreams['openai-chat'], { models: REASONING })

const models = [...formats.map(modelOf), RESPONSES_ONLY, REASONING]
const atOne = Object.fromEntries(models.map(model => [model, 1]))
await setPrice('ModelRatio', atOne)
await setPrice('CompletionRatio', atOne)

beforeEach(() => {
  for (const upstream of Object.values(upstreams))
    Object.assign(upstream, { reported: 0, received: [], violations: [] })
})

const QUESTION = 'Write as much as you can.'
const messages = [{ role: 'user', content: QUESTION }]

/** A call in a client's format, without a limit unless a field names one. */
const asks: Record<
  ClientFormatName,
  (who: Client, model: string, stream: boolean, fields?: Json) => Promise<Response>
> = {
  'openai-chat': (who, model, stream, fields) =>
    who.postTo('/v1/chat/completions', { model, messages, stream, ...fields }),
  'openai-responses': (who, model, stream, fields) =>
    who.postTo('/v1/responses', { model, input: QUESTION, stream, ...fields }),
  anthropic: (who, model, stream, fields) => who.postTo('/v1/messages', { model, messages, stream, ...fields }),
  gemini: (who, model, stream, fields) =>
    who.postTo(`/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`, {
      contents: [{ role: 'user', parts: [{ text: QUESTION }] }],
      ...fields,
    }),
}

const limitSent: Record<ClientFormatName, (body: Json) => unknown> = {
  'openai-chat': body => body.max_tokens,
  'openai-responses': body => body.max_output_tokens,
  anthropic: body => body.max_tokens,
  gemini: body => body.generationConfig?.maxOutputTokens,
}

const BALANCE = 10_100
const CALLS = 30

describe.each(formats)('%s', format => {
  const upstream = upstreams[format]
  const model = modelOf(format)
  const ask = asks[format]

  test.each([
    ['whole', false],
    ['streamed', true],
  ])('thirty %s calls at once without a limit take no more than the balance', async (_, stream) => {
    const ann = await client({}, BALANCE)
    const answers = await atOnce(
      upstream,
      Array.from({ length: CALLS }, () => () => ask(ann, model, stream)),
    )
    const served = answers.filter(({ status }) => status === 200).length
    expect(served).toBeWithin(2, 5)
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(CALLS - served)
    expect(upstream.violations).toEqual([])
    expect(BALANCE - (await ann.balance())).toBe(upstream.reported)
    expect(await ann.balance()).toBeGreaterThanOrEqual(-PROMPT * served)
  })

  test('a rich caller without a limit sends the upstream none', async () => {
    const ann = await client()
    expect((await ask(ann, model, false)).status).toBe(200)
    const sent = limitSent[format](upstream.received[0]!)
    // Anthropic requires a limit.
    expect(sent).toBe(format === 'anthropic' ? 8192 : undefined)
  })
})

const chat = upstreams['openai-chat']
const CHAT = modelOf('openai-chat')

/** One whole call. @returns the limit that the upstream was sent, and what was paid */
async function one(balance: number, fields: Json = {}, { model = CHAT, token = {} } = {}) {
  const ann = await client(token, balance)
  const answer = await asks['openai-chat'](ann, model, false, fields)
  return {
    status: answer.status,
    error: ((await answer.json()) as Json).error,
    sent: chat.received.at(-1)?.max_tokens as number | undefined,
    paid: balance - (await ann.balance()),
  }
}

/** Estimated tokens of the question. */
const ESTIMATE = 13

describe('what one call may take', () => {
  test('an unlimited call is limited to a quarter of the balance', async () => {
    const { sent, paid } = await one(80_000)
    expect(sent).toBeWithin(20_000 - 2 * ESTIMATE, 20_000)
    expect(paid).toBe(PROMPT + sent!)
  })

  test('a call whose maximum is within a quarter is sent no limit', async () => {
    expect((await one(4 * (32_768 + 2 * ESTIMATE))).sent).toBeUndefined()
    expect((await one(4 * 32_768)).sent).toBeLessThan(32_768)
  })

  test('4,096 tokens are allowed where they can be paid', async () => {
    expect((await one(4096 + 2 * ESTIMATE)).sent).toBe(4096)
    expect((await one(4000)).sent).toBeWithin(4000 - 2 * ESTIMATE, 4000)
  })

  test('a call is refused below 256 tokens of output, with the figures', async () => {
    await setOption('PreConsumedQuota', 0)
    expect((await one(256 + 2 * ESTIMATE)).status).toBe(200)
    const { status, error } = await one(256)
    expect({ status, code: error.code }).toEqual({ status: 403, code: 'insufficient_user_quota' })
    const [needed, left] = error.message
      .match(/\d[\d.,]*/g)!
      .map((figure: string) => Number(figure.replaceAll(',', '')))
    expect(left).toBeLessThan(needed)
    await setOption('MinAffordableOutput', 100)
    expect((await one(256)).status).toBe(200)
    await setOption('MinAffordableOutput', 256)
    await setOption('PreConsumedQuota', 500)
  })

  test('a least output above that of the model asks for no more than the model can produce', async () => {
    await setOption('DefaultMaxOutput', 2000)
    await setOption('MinAffordableOutput', 5000)
    expect((await one(3000)).status).toBe(200)
    await setOption('MinAffordableOutput', 256)
    await setOption('DefaultMaxOutput', 32_768)
  })

  test('a named limit is kept while the balance pays for it, else cut to what it pays for', async () => {
    expect((await one(10_000, { max_tokens: 9000 })).sent).toBe(9000)
    const { sent, paid } = await one(10_000, { max_tokens: 90_000 })
    expect(sent).toBeWithin(10_000 - 2 * ESTIMATE, 10_000)
    expect(paid).toBe(PROMPT + sent!)
  })

  test('a named limit below the least affordable output needs no more than itself', async () => {
    await setOption('PreConsumedQuota', 0)
    expect(await one(60, { max_tokens: 20 })).toMatchObject({ status: 200, sent: 20 })
    await setOption('PreConsumedQuota', 500)
  })

  test('every choice is paid for', async () => {
    const { sent, paid } = await one(80_000, { n: 4 })
    expect(sent).toBeWithin(5000 - 2 * ESTIMATE, 5000)
    expect(paid).toBe(PROMPT + 4 * sent!)
  })

  test('the quota of a limited key counts like a balance', async () => {
    const { sent } = await one(1_000_000, {}, { token: { unlimited_quota: false, remain_quota: 40_000 } })
    expect(sent).toBeWithin(10_000 - 2 * ESTIMATE, 10_000)
    const poor = await one(1_000_000, {}, { token: { unlimited_quota: false, remain_quota: 100 } })
    expect(poor).toMatchObject({ status: 403, error: { code: 'insufficient_token_quota' } })
  })

  test('a price per call has no part for output', async () => {
    await setPrice('ModelPrice', { [CHAT]: 0.002 })
    expect(await one(1000)).toMatchObject({ status: 200, sent: undefined, paid: 1000 })
    await setPrice('ModelPrice', {})
  })

  test('dearer output and dearer tiers allow fewer tokens', async () => {
    await setPrice('CompletionRatio', { ...atOne, [CHAT]: 4 })
    expect((await one(80_000)).sent).toBeWithin(5000 - 2 * ESTIMATE, 5000)
    await setPrice('TierRatio', { [CHAT]: [{ from: 10, model_ratio: 2, completion_ratio: 4 }] })
    const ann = await client({}, 80_000)
    expect((await ann.chat({ model: CHAT, messages })).status).toBe(200)
    expect(chat.received.at(-1)!.max_tokens).toBeWithin(4096, 4097)
    await setPrice('CompletionRatio', atOne)
    await setPrice('TierRatio', {})
  })
})

describe('the limit that is sent', () => {
  test.each(formats)('a chat client limits an upstream of %s in its own field', async format => {
    const ann = await client({}, BALANCE)
    const model = format === 'openai-responses' ? RESPONSES_ONLY : modelOf(format)
    expect((await asks['openai-chat'](ann, model, false)).status).toBe(200)
    expect(limitSent[format](upstreams[format].received[0]!)).toBe(4096)
    expect(upstreams[format].violations).toEqual([])
  })

  test.each(formats)('a client of %s limits an upstream of chats', async format => {
    const ann = await client({}, BALANCE)
    const required = format === 'anthropic' ? { max_tokens: 20_000 } : {}
    expect((await asks[format](ann, CHAT, true, required)).status).toBe(200)
    expect(limitSent['openai-chat'](chat.received[0]!)).toBeWithin(4096, BALANCE)
    expect(chat.violations).toEqual([])
  })

  test('a reasoning model is limited by max_completion_tokens', async () => {
    const ann = await client({}, BALANCE)
    expect((await asks['openai-chat'](ann, REASONING, false)).status).toBe(200)
    expect(chat.received[0]).toMatchObject({ max_completion_tokens: 4096 })
  })

  test('an override wins only with a lower limit', async () => {
    const model = 'overridden'
    await setPrice('ModelRatio', { ...atOne, [model]: 1 })
    const root = await setUp()
    const { id } = await channelOf('openai-chat', chat, { models: model, param_override: '{"max_tokens":50}' })
    expect(await one(BALANCE, {}, { model })).toMatchObject({ sent: 50, paid: PROMPT + 50 })
    await root.put('/api/channel/', { id, param_override: '{"max_tokens":50000}' })
    expect(await one(BALANCE, {}, { model })).toMatchObject({ sent: 4096, paid: PROMPT + 4096 })
    await root.put('/api/channel/', { id, param_override: '{"max_completion_tokens":50000}' })
    expect(await one(BALANCE, {}, { model })).toMatchObject({ sent: undefined, paid: PROMPT + 4096 })
    expect(chat.violations).toEqual([])
    await setPrice('ModelRatio', atOne)
  })

  test('a channel that passes bodies unedited is sent the limit too', async () => {
    const model = 'unedited'
    await setPrice('ModelRatio', { ...atOne, [model]: 1 })
    await channelOf('openai-chat', chat, { models: model, setting: '{"pass_through_body":true}' })
    expect(await one(BALANCE, {}, { model })).toMatchObject({ status: 200, sent: 4096, paid: PROMPT + 4096 })
    await setPrice('ModelRatio', atOne)
  })

  test('a model that a channel maps to is held for its own maximum', async () => {
    const model = 'alias'
    await setPrice('ModelRatio', { ...atOne, [model]: 1 })
    await channelOf('openai-chat', chat, { models: model, model_mapping: `{"${model}":"vendor/gpt-5-mini"}` })
    expect((await one(4 * 40_000, {}, { model })).sent).toBeWithin(40_000 - 2 * ESTIMATE, 40_000)
    await setPrice('ModelRatio', atOne)
  })
})

describe('a thinking budget', () => {
  const thinks = (max_tokens: number, budget_tokens: number) => ({
    max_tokens,
    thinking: { type: 'enabled', budget_tokens },
  })

  test('Anthropic: a budget is lowered below the limit that was cut', async () => {
    const ann = await client({}, BALANCE)
    const { anthropic } = upstreams
    expect((await asks.anthropic(ann, modelOf('anthropic'), false, thinks(32_000, 31_999))).status).toBe(200)
    const { max_tokens, thinking } = anthropic.received[0]!
    // The fields of `thinking` count too.
    expect(max_tokens).toBeWithin(BALANCE - 4 * ESTIMATE, BALANCE)
    expect(thinking.budget_tokens).toBe(Math.floor(max_tokens * 0.8))
    expect(anthropic.violations).toEqual([])
  })

  test('Anthropic: thinking is off where the limit has no room for the least budget', async () => {
    const ann = await client({}, 1100)
    const { anthropic } = upstreams
    expect((await asks.anthropic(ann, modelOf('anthropic'), true, thinks(32_000, 16_000))).status).toBe(200)
    expect(anthropic.received[0]!.thinking).toBeUndefined()
    expect(anthropic.violations).toEqual([])
  })

  test('Gemini: a budget leaves room for the answer', async () => {
    const ann = await client({}, BALANCE)
    const generationConfig = { maxOutputTokens: 60_000, thinkingConfig: { thinkingBudget: 24_000 } }
    expect((await asks.gemini(ann, modelOf('gemini'), false, { generationConfig })).status).toBe(200)
    const sent = upstreams.gemini.received[0]!.generationConfig
    expect(sent.thinkingConfig.thinkingBudget).toBe(Math.floor(sent.maxOutputTokens * 0.8))
    expect(upstreams.gemini.violations).toEqual([])
  })

  test('a translated effort fits into the limit', async () => {
    const ann = await client({}, BALANCE)
    const { anthropic } = upstreams
    expect((await asks['openai-chat'](ann, modelOf('anthropic'), false, { reasoning_effort: 'high' })).status).toBe(200)
    expect(anthropic.received[0]).toMatchObject({ max_tokens: 4096, thinking: { budget_tokens: 3276 } })
    expect(anthropic.violations).toEqual([])
  })
})
