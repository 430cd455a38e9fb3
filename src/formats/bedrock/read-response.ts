/**
 * Reads the response of Converse.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html (read 2026-11)
 */
import type { ChatResponse, ResponsePart } from '../canonical/chat.ts'
import { isObject } from '../json/checks.ts'
import { objectOf, objectsOf, textOf, type UnreadFields } from '../json/lenient-json.ts'
import { readFinish } from './finish-reason.ts'
import { readUsage } from './usage.ts'
import type { ConverseAnswer, ConverseCall, ConverseResponse, ConverseThought } from './wire.ts'

/** The response has no id and names no model. */
export function readResponse(body: unknown): ChatResponse | undefined {
  const { output, stopReason, usage } = objectOf<ConverseResponse>(body)
  const { message } = objectOf<ConverseResponse['output']>(output)
  if (!isObject(message)) return undefined
  const { content } = objectOf<ConverseResponse['output']['message']>(message)
  const doubts: string[] = []
  const parts = objectsOf<ConverseAnswer>(content).flatMap(block => readBlock(block) ?? [])
  return {
    id: '',
    model: '',
    choices: [{ parts, finish: readFinish(stopReason) }],
    usage: readUsage(usage, doubts),
    doubts,
  }
}

function readBlock(block: UnreadFields<ConverseAnswer>): ResponsePart | undefined {
  if (typeof block.text === 'string') return { kind: 'text', text: block.text }
  if (isObject(block.reasoningContent)) return readReasoning(block.reasoningContent)
  if (isObject(block.citationsContent)) {
    const texts = objectsOf(block.citationsContent.content).map(({ text }) => textOf(text))
    return { kind: 'text', text: texts.join('') }
  }
  return isObject(block.toolUse) ? readCall(block.toolUse) : undefined
}

function readReasoning({ reasoningText, redactedContent }: UnreadFields<ConverseThought>): ResponsePart {
  if (typeof redactedContent === 'string') return redactedThought(redactedContent)
  const { text, signature } = objectOf<NonNullable<ConverseThought['reasoningText']>>(reasoningText)
  const value = textOf(signature)
  return { kind: 'thinking', text: textOf(text), ...(value && { signature: { owner: 'bedrock', value } }) }
}

export const redactedThought = (value: string): ResponsePart => ({
  kind: 'thinking',
  text: '',
  signature: { owner: 'bedrock', value, redacted: true },
})

export const readCall = ({
  toolUseId,
  name,
  input,
}: UnreadFields<ConverseCall>): ResponsePart & { kind: 'tool_call' } => ({
  kind: 'tool_call',
  id: textOf(toolUseId),
  name: textOf(name),
  arguments: JSON.stringify(objectOf(input)),
})
