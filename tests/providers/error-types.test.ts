// @engine sqlite
/** Errors and finish reasons of channel types, as OpenAI names them. */
import { expect, test } from 'bun:test'
import { providerOf } from '../../src/providers/index.ts'

type Json = Record<string, any>

const rewritten = (type: number, body: Json): Json => providerOf(type)!.apis.chat!.rewriteResponse!(body, {})

const errors: [type: number, bodyOf: (code: number) => Json, types: Record<string, number[]>][] = [
  [
    35,
    status_code => ({ base_resp: { status_code, status_msg: 'No' } }),
    {
      rate_limit_error: [1002, 1039, 1041, 2056],
      authentication_error: [1004, 2049],
      insufficient_quota: [1008],
      invalid_request_error: [1026, 1027, 1042, 2013],
      server_error: [1000, 10080],
    },
  ],
  [
    26,
    code => ({ error: { code: String(code), message: 'No' } }),
    { authentication_error: [1000, 1001, 1002, 1003, 1004, 1112], insufficient_quota: [1113] },
  ],
  [
    40,
    code => ({ code, message: 'No' }),
    { not_found_error: [20012], insufficient_quota: [30001], overloaded_error: [50505] },
  ],
  [20, code => ({ error: { code, message: 'No' } }), { insufficient_quota: [402] }],
]
test.each(errors)('type %i: the error code gives the error type', (type, bodyOf, types) => {
  for (const [name, codes] of Object.entries(types))
    for (const code of codes)
      expect(rewritten(type, bodyOf(code)), String(code)).toMatchObject({ error: { type: name } })
})

test('xAI: an error that mentions credits is insufficient_quota', () => {
  const typeOf = (error: string) => rewritten(48, { error, code: 'x' }).error.type
  expect(['Your credits are used up', 'No credit left', 'Be accredited'].map(typeOf)).toEqual([
    'insufficient_quota',
    'insufficient_quota',
    '',
  ])
})

test('MiniMax: status_code 0 is no error', () => {
  const body = { base_resp: { status_code: 0 }, choices: [] }
  expect(rewritten(35, body)).toBe(body)
})

test('Zhipu and Mistral: their own finish reasons become OpenAI’s', () => {
  const finishReason = (type: number, finish_reason: string) =>
    rewritten(type, { choices: [{ finish_reason }] }).choices[0].finish_reason
  const own = ['sensitive', 'model_context_window_exceeded', 'network_error', 'stop']
  expect(own.map(reason => finishReason(26, reason))).toEqual(['content_filter', 'length', 'stop', 'stop'])
  expect(finishReason(42, 'model_length')).toBe('length')
})
