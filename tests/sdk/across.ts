/** What becomes of a part of a request on its way into the other formats: found by translating it. */
import type { ClientFormatName } from '../../src/formats/canonical/chat.ts'
import { chatFormats, formats } from '../../src/formats/index.ts'
import { translateRequest } from '../../src/formats/translate/translate.ts'
import type { Json } from '../../src/pure/json.ts'

export type Across = 'translated' | 'dropped' | 'refused'

/** Of each format one model that thinks and one that does not: each takes fields that the other does not. */
const models: Record<ClientFormatName, readonly string[]> = {
  'openai-chat': ['gpt-5.1', 'gpt-4o'],
  'openai-responses': ['gpt-5.1', 'gpt-4o'],
  anthropic: ['claude-opus-4-8', 'claude-3-5-haiku-20241022'],
  gemini: ['gemini-3-pro-preview', 'gemini-2.0-flash'],
}

/** A request with nothing that a format does not demand. */
export const leastRequests: Record<ClientFormatName, Json> = {
  'openai-chat': { model: 'm', messages: [{ role: 'user', content: 'Hi' }] },
  'openai-responses': { model: 'm', input: 'Hi' },
  anthropic: { model: 'm', max_tokens: 2000, messages: [{ role: 'user', content: 'Hi' }] },
  gemini: { model: 'm', contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
}

/**
 * @param fields of a request, in place of those of the least one
 * @param beside those of `fields` that are there in any case
 * @returns `refused` when no other format takes them
 */
export function across(format: ClientFormatName, fields: Json, beside: Json = {}): Across {
  const [plain, changed] = [beside, fields].map(more => written(format, { ...leastRequests[format], ...more }))
  if (changed!.every(body => body === undefined)) return 'refused'
  return changed!.some((body, at) => body !== undefined && body !== plain![at]) ? 'translated' : 'dropped'
}

/** @returns the request as JSON in every other format; undefined where it is refused */
function written(format: ClientFormatName, body: Json): (string | undefined)[] {
  const client = chatFormats[format]
  const request = client.readRequest(structuredClone(body))
  return formats
    .filter(name => name !== format)
    .map(name => {
      if (!('messages' in request)) return undefined
      const route = { client, upstream: chatFormats[name], label: { id: 'r', created: 1, request } }
      const bodies = models[name].map(model =>
        translateRequest(route, { model, stream_usage: true, system_prompt: '' }),
      )
      return bodies.some(body => 'code' in body) ? undefined : JSON.stringify(bodies)
    })
}
