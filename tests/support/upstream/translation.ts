/** Callers of four formats and upstreams of four formats, one channel or more between them. */
import type { ClientFormatName } from '../../../src/formats/canonical/chat.ts'
import { formats } from '../../../src/formats/index.ts'
import type { Json } from '../../formats/wire/sse.ts'
import { type Client, chatBody, MODEL } from '../people/client.ts'
import { channelOf, type FormatUpstream, upstreamOf } from './format-upstreams.ts'

const servers = new Map<ClientFormatName, FormatUpstream>()
for (const format of formats) servers.set(format, await upstreamOf(format))

export const serverOf = (format: ClientFormatName) => servers.get(format)!

/** What the upstream was asked last. */
export const lastRequest = (format: ClientFormatName) => serverOf(format).asked.at(-1)!

/** No models of anybody's, so they have no traits; but the one is asked in Responses. */
const names: Record<ClientFormatName, string> = {
  'openai-chat': 'm',
  'openai-responses': 'codex-mini',
  anthropic: 'm',
  gemini: 'm',
}

/** A channel of this format, for the usual model. */
export const channelFor = (format: ClientFormatName, fields: Json = {}) =>
  channelOf(format, serverOf(format), { model_mapping: JSON.stringify({ [MODEL]: names[format] }), ...fields })

const bodies: Record<ClientFormatName, Json> = {
  'openai-chat': chatBody(),
  'openai-responses': { model: MODEL, input: 'Say hello' },
  anthropic: { model: MODEL, max_tokens: 100, messages: [{ role: 'user', content: 'Say hello' }] },
  gemini: { contents: [{ parts: [{ text: 'Say hello' }] }] },
}

const doors: Record<ClientFormatName, string> = {
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  anthropic: '/v1/messages',
  gemini: `/v1beta/models/${MODEL}:`,
}

/** A call in the caller's format, further fields as given; with `stream` in the address where it belongs there. */
export function callIn(format: ClientFormatName, ann: Client, { stream, ...fields }: Json = {}): Promise<Response> {
  const body = { ...bodies[format], ...fields }
  if (format !== 'gemini') return ann.postTo(doors[format], stream ? { ...body, stream } : body)
  const deed =
    stream === 'array' ? 'streamGenerateContent' : stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
  return ann.postTo(doors[format] + deed, body)
}
