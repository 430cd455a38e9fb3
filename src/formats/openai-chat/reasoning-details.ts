/**
 * Reads and writes `reasoning_details`, OpenRouter's list of thinking with signatures, which clients send back
 * unchanged. https://openrouter.ai/docs/guides/best-practices/reasoning-tokens (read 2026-11)
 */
import type { Owner, Signature, ThinkingPart } from '../canonical/chat.ts'
import { objectsOf, textOf } from '../json/lenient-json.ts'
import type { ReasoningDetail } from './wire.ts'

const ENCRYPTED = 'reasoning.encrypted'

/** Values of `format` by owner. */
const formatNames: Partial<Record<Owner, string>> = {
  openai: 'openai-responses-v1',
  anthropic: 'anthropic-claude-v1',
  gemini: 'google-gemini-v1',
}

const ownerOf = (format: string): Owner | undefined =>
  (Object.keys(formatNames) as Owner[]).find(owner => formatNames[owner] === format)

export function readReasoningDetails(details: unknown): ThinkingPart[] {
  const parts: ThinkingPart[] = []
  /** Index of the last part. */
  let index: unknown
  for (const detail of objectsOf(details)) {
    const owner = ownerOf(textOf(detail.format))
    const value = textOf(detail.signature) || textOf(detail.data)
    const text = textOf(detail.text) || textOf(detail.summary)
    const signature: Signature | undefined =
      owner && value ? signatureOf(owner, value, detail.type === ENCRYPTED) : undefined
    const last = parts.at(-1)
    // A summary and its encrypted original are two entries of one thinking part, and so are the pieces of a stream.
    const isOriginal = signature?.owner === 'openai' && !text
    const isPiece = detail.index !== undefined && detail.index === index && !signature?.redacted
    if (last && !last.signature && (isOriginal || isPiece)) Object.assign(last, { text: last.text + text, signature })
    else if (text || signature) {
      parts.push({ kind: 'thinking', text, signature, id: textOf(detail.id) || undefined })
      index = detail.index
    }
  }
  return parts
}

const signatureOf = (owner: Owner, value: string, isEncrypted: boolean): Signature =>
  owner === 'anthropic' && isEncrypted ? { owner, value, redacted: true } : { owner, value }

export const writeReasoningDetails = (parts: ThinkingPart[]): ReasoningDetail[] | undefined =>
  parts.some(part => part.signature) ? parts.flatMap(writeReasoningDetail) : undefined

export function writeReasoningDetail({ text, signature, id }: ThinkingPart, index: number): ReasoningDetail[] {
  const format = signature && formatNames[signature.owner]
  const isEncrypted = signature && (signature.redacted || signature.owner === 'openai' || !text)
  const named = id === undefined ? {} : { id }
  const shown: ReasoningDetail =
    signature?.owner === 'openai'
      ? { type: 'reasoning.summary', ...named, summary: text, format, index }
      : { type: 'reasoning.text', ...named, text, signature: isEncrypted ? undefined : signature?.value, format, index }
  const details = text || !isEncrypted ? [shown] : []
  return isEncrypted ? [...details, { type: ENCRYPTED, ...named, data: signature.value, format, index }] : details
}
