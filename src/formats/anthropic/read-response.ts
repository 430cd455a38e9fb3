/**
 * Reads the response body of POST /v1/messages into a ChatResponse.
 * https://docs.anthropic.com/en/api/messages (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import type { ChatResponse, ResponsePart } from '../canonical/chat.ts'
import { isObject } from '../json/checks.ts'
import { objectsOf, textOf } from '../json/lenient-json.ts'
import { readCitations } from './citations.ts'
import { readFinish } from './finish-reason.ts'
import { readUsage } from './usage.ts'

export function readResponse(body: unknown): ChatResponse | undefined {
  if (!isObject(body) || !Array.isArray(body.content)) return undefined
  const doubts: string[] = []
  const finish = readFinish(body.stop_reason, body.stop_sequence)
  return {
    id: textOf(body.id),
    model: textOf(body.model),
    choices: [{ parts: objectsOf(body.content).map(readBlock), finish }],
    usage: readUsage(body.usage, doubts),
    doubts,
  }
}

/** Signatures in a response come from the upstream itself and are never wrapped. */
export function readBlock(block: Json): ResponsePart {
  switch (block.type) {
    case 'text': {
      const citations = readCitations(block.citations)
      return { kind: 'text', text: textOf(block.text), ...(citations.length && { citations }) }
    }
    case 'thinking': {
      const value = textOf(block.signature)
      return {
        kind: 'thinking',
        text: textOf(block.thinking),
        ...(value && { signature: { owner: 'anthropic', value } }),
      }
    }
    case 'redacted_thinking':
      return {
        kind: 'thinking',
        text: '',
        signature: { owner: 'anthropic', value: textOf(block.data), redacted: true },
      }
    case 'tool_use': {
      const input = isObject(block.input) ? block.input : {}
      return { kind: 'tool_call', id: textOf(block.id), name: textOf(block.name), arguments: JSON.stringify(input) }
    }
    default:
      return { kind: 'native', format: 'anthropic', value: block }
  }
}
