/** Instructions that ask for JSON, for models whose output cannot be constrained. */
import type { ChatRequest, OutputFormat } from '../canonical/chat.ts'

export function jsonInstruction(output: Exclude<OutputFormat, { kind: 'text' }>): string {
  const thing = output.kind === 'schema' && !isOfObject(output) ? 'JSON value' : 'JSON object'
  const demand = `Answer with one ${thing} and nothing else: no explanation, no code fence.`
  if (output.kind === 'json') return demand
  const about = output.description ? ` ${output.description}` : ''
  return `${demand} It must match this JSON schema.${about}\n${JSON.stringify(output.schema)}`
}

/** @returns the request with a schema of anything but an object moved into the instructions */
export function withObjectsHeld(request: ChatRequest): ChatRequest {
  const { output, system } = request
  if (output?.kind !== 'schema' || isOfObject(output)) return request
  return { ...request, output: undefined, system: [...system, { kind: 'text', text: jsonInstruction(output) }] }
}

const isOfObject = ({ schema }: OutputFormat & { kind: 'schema' }) =>
  typeof schema.type !== 'string' || schema.type === 'object'
