/** The request that probes a model: the shortest of its kind, with as few output tokens as will do. */

import { kindOf, shortestOutput } from '../../../models/kinds.ts'
import { traitsOf } from '../../../models/traits.ts'
import { type Operation, providerOf } from '../../../providers/index.ts'
import type { Json } from '../../../pure/json.ts'

export interface ProbeRequest {
  operation: Operation
  body: Json
}

export const PROBE_TOKENS = 10

/** @returns undefined for models of images and audio: an image costs too much, audio needs a voice or a recording */
export function probeFor(model: string, type: number): ProbeRequest | undefined {
  const kind = providerOf(type)?.quirks.probe?.kind ?? kindOf(model)
  switch (kind) {
    case 'chat':
      return { operation: kind, body: { messages: [{ role: 'user', content: 'hi' }], ...outputLimit(model) } }
    case 'rerank':
      return { operation: kind, body: { query: 'hi', documents: ['hello', 'world'] } }
    case 'embeddings':
      return { operation: kind, body: { input: ['hello world'] } }
    case 'moderations':
      return { operation: kind, body: { input: 'hi' } }
  }
}

function outputLimit(model: string): Json {
  const { limit } = traitsOf(model, 'openai')
  return { [limit]: limit === 'max_completion_tokens' ? PROBE_TOKENS : shortestOutput(model, PROBE_TOKENS) }
}
