// @engine sqlite
/** Limits that stand elsewhere than the format has them are limits too: they are held for, and lowered. */
import { expect, test } from 'bun:test'
import { setOption } from '../../support/app/options.ts'
import { setPrice } from '../../support/app/prices.ts'
import { client } from '../../support/people/client.ts'
import { errorOf } from '../../support/people/responses.ts'
import { chat } from '../../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

type Json = Record<string, any>

const model = 'gpt-4o-mini'
const upstream = await startUpstream(chat(), model)
await channelTo(upstream, { models: model, type: 47 })
await setPrice('ModelRatio', { [model]: 1 })
await setPrice('CompletionRatio', { [model]: 1 })
await setOption('PreConsumedQuota', 0)

const BALANCE = 5000
const MANY = 4000

const places: [place: string, fields: (limit: number) => Json, read: (body: Json) => unknown][] = [
  ['max_tokens in extra_body', max_tokens => ({ extra_body: { max_tokens } }), body => body.extra_body.max_tokens],
  [
    'max_completion_tokens in extra_body',
    limit => ({ extra_body: { max_completion_tokens: limit } }),
    body => body.extra_body.max_completion_tokens,
  ],
  [
    'maxOutputTokens in a config of extra_body',
    limit => ({ extra_body: { google: { generationConfig: { maxOutputTokens: limit } } } }),
    body => body.extra_body.google.generationConfig.maxOutputTokens,
  ],
  [
    'a limit as text in extra_body',
    limit => ({ extra_body: { max_tokens: String(limit) } }),
    body => body.extra_body.max_tokens,
  ],
  ['num_predict among options', limit => ({ options: { num_predict: limit } }), body => body.options.num_predict],
  ['another name', limit => ({ max_output_tokens: limit }), body => body.max_output_tokens],
]

test.each(places)('%s is held for and lowered to what is paid', async (_, fields, read) => {
  const poor = await client({}, BALANCE)
  expect((await poor.chat({ model, max_tokens: 5, ...fields(1_000_000) })).status).toBe(200)
  expect(Number(read(upstream.journal.at(-1)!.body))).toBeWithin(250, BALANCE)
  expect(upstream.journal.at(-1)!.body.max_tokens).toBe(5)
})

test.each([
  ['n in extra_body', { extra_body: { n: 100 } }],
  ['best_of in extra_body', { extra_body: { best_of: 100 } }],
  ['candidateCount in a config', { extra_body: { generationConfig: { candidateCount: 100 } } }],
])('%s is held for', async (_, fields) => {
  const poor = await client({}, BALANCE)
  const calls = upstream.journal.length
  expect(await errorOf(await poor.chat({ model, max_tokens: MANY, ...fields }))).toMatchObject({ status: 403 })
  expect(upstream.journal).toHaveLength(calls)
})

test('a limit in extra_body alone is none, since the upstream may not merge it', async () => {
  const poor = await client({}, BALANCE)
  expect((await poor.chat({ model, extra_body: { max_tokens: 5 } })).status).toBe(200)
  expect(upstream.journal.at(-1)!.body).toMatchObject({ extra_body: { max_tokens: 5 } })
  expect(upstream.journal.at(-1)!.body.max_tokens).toBeWithin(250, BALANCE)
})

test('a limit of any other type is left to the upstream, a number beyond all digits is lowered', async () => {
  const poor = await client({}, BALANCE)
  const bodies = ['[null]', '{"a":[1]}', 'true', '"many"', 'null']
  for (const value of bodies) {
    const extra_body = JSON.parse(`{"max_tokens":${value},"n":${value}}`)
    expect((await poor.chat({ model, max_tokens: 5, extra_body })).status).toBe(200)
    expect(upstream.journal.at(-1)!.body.extra_body).toEqual(extra_body)
  }
  const huge = `{"model":"${model}","messages":[{"role":"user","content":"Hi"}],"max_tokens":5,"extra_body":{"max_tokens":9007199254740993}}`
  expect((await poor.post(huge)).status).toBe(200)
  expect((upstream.journal.at(-1)!.body as Json).extra_body.max_tokens).toBeWithin(250, BALANCE)
})
