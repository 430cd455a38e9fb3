/** Thoughts with their signatures, in the shape that OpenRouter gave them and that agents send back unchanged. */

import type { Json } from '../../pure/json.ts'
import type { Owner, Signature, ThinkingPart } from '../canonical/chat.ts'
import { objectsOf, textOf } from '../json/lenient-json.ts'

const HIDDEN = 'reasoning.encrypted'

/** Who made a thought, in the words of this shape. */
const words: Record<Owner, string> = {
  openai: 'openai-responses-v1',
  anthropic: 'anthropic-claude-v1',
  gemini: 'google-gemini-v1',
}

const ownerOf = (format: string): Owner | undefined =>
  (Object.keys(words) as Owner[]).find(owner => words[owner] === format)

export function readReasoningDetails(details: unknown): ThinkingPart[] {
  const thoughts: ThinkingPart[] = []
  for (const detail of objectsOf(details)) {
    const owner = ownerOf(textOf(detail.format))
    const value = textOf(detail.signature) || textOf(detail.data)
    const text = textOf(detail.text) || textOf(detail.summary)
    const signature: Signature | undefined =
      owner && value ? signatureOf(owner, value, detail.type === HIDDEN) : undefined
    const last = thoughts.at(-1)
    // A summary and its hidden original come as two entries of one thought.
    if (signature?.owner === 'openai' && !text && last && !last.signature) last.signature = signature
    else if (text || signature) thoughts.push({ kind: 'thinking', text, signature, id: textOf(detail.id) || undefined })
  }
  return thoughts
}

const signatureOf = (owner: Owner, value: string, hidden: boolean): Signature =>
  owner === 'anthropic' && hidden ? { owner, value, redacted: true } : { owner, value }

export const writeReasoningDetails = (thoughts: ThinkingPart[]): Json[] | undefined =>
  thoughts.some(thought => thought.signature) ? thoughts.flatMap(writeThought) : undefined

export function writeThought({ text, signature, id }: ThinkingPart, index: number): Json[] {
  const format = signature && words[signature.owner]
  const hidden = signature && (signature.redacted || signature.owner === 'openai' || !text)
  const named = id === undefined ? {} : { id }
  return [
    ...(text || !hidden
      ? [
          signature?.owner === 'openai'
            ? { type: 'reasoning.summary', ...named, summary: text, format, index }
            : {
                type: 'reasoning.text',
                ...named,
                text,
                ...(!hidden && signature && { signature: signature.value }),
                format,
                index,
              },
        ]
      : []),
    ...(hidden ? [{ type: HIDDEN, ...named, data: signature.value, format, index }] : []),
  ]
}
