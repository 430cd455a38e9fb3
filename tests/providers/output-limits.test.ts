// @engine sqlite
/** The limit that is paid for reaches every upstream whose format has one, in the request that is sent. */
import { describe, expect, test } from 'bun:test'
import { isChatUpstream, type PassedUpstream } from '../../src/formats/format.ts'
import { chatFormats, formats } from '../../src/formats/index.ts'
import { requestOf } from '../../src/formats/translate/passthrough.ts'
import { translatingFormat } from '../../src/formats/translate/translating-format.ts'
import {
  draftRequest,
  familyOf,
  type Provider,
  passedApi,
  providers,
  type UpstreamApi,
} from '../../src/providers/index.ts'

const LIMIT = 321
const ASKED = 100_000

const bodies = {
  'openai-chat': { messages: [{ role: 'user', content: 'Hi' }], max_tokens: ASKED },
  'openai-responses': { input: 'Hi', max_output_tokens: ASKED },
  anthropic: { messages: [{ role: 'user', content: 'Hi' }], max_tokens: ASKED },
  gemini: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }], generationConfig: { maxOutputTokens: ASKED } },
}

/** Formats without a limit: a call holds the most that the model produces. A new one is to be looked at. */
const without = ['coze', 'dify', 'library', 'palm', 'tencent', 'zhipu-v3']

type Case = [name: string, api: UpstreamApi, model: string]

const casesOf = (provider: Provider): Case[] =>
  familyOf(provider).flatMap((declared, at) => {
    const { chat, responses, completions } = declared.apis
    const model = declared.models[0] ?? provider.models[0] ?? 'm'
    return Object.entries({ chat, responses, completions, anthropic: declared.anthropic_api }).flatMap(([name, api]) =>
      api ? [[`${provider.label} ${at} ${name}`, api, model] as Case] : [],
    )
  })

const cases = providers.flatMap(casesOf)
const config = { base_url: 'https://a.example', key: 'a|b|c', other: 'x', region: 'us-east-1', token: 'x', at_ms: 0 }

function sent(api: UpstreamApi, model: string, client: keyof typeof bodies, stream: boolean) {
  const body = { model, stream, ...bodies[client] }
  const draft = (format: PassedUpstream, own: object) =>
    draftRequest({ ...api, format }, { ...config, output_limit: LIMIT }, model, own as typeof body).body
  const upstream = api.format
  if (!isChatUpstream(upstream)) return draft(upstream, { model, prompt: 'Hi', max_tokens: ASKED })
  if (upstream.name === client) return draft(passedApi(api).format, body)
  const format = chatFormats[client]
  const request = requestOf(format, body)
  if (!('messages' in request)) throw new Error(`${client} cannot be read`)
  return draft(translatingFormat({ client: format, upstream, label: { id: '1', created: 0, request } }), body)
}

describe.each(cases)('%s', (_, api, model) => {
  const carries = api.format.limitOutput !== undefined

  test('a format either has a limit or is known to have none', () => {
    expect(carries).toBe(!without.includes(api.format.name))
  })

  for (const client of carries ? formats : []) {
    test.each([true, false])(`${client}: the limit is sent, streamed %p`, stream => {
      const text = JSON.stringify(sent(api, model, client, stream))
      expect(text).toMatch(new RegExp(`\\b${LIMIT}\\b`))
      expect(text).not.toMatch(new RegExp(`\\b${ASKED}\\b`))
    })
  }
})
