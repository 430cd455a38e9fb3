/** https://ai.google.dev/api/generate-content and https://ai.google.dev/gemini-api/docs/thought-signatures (read 2026-11) */
import type { Json } from '../../../src/pure/json.ts'
import { type BodyRule, firstFlaw, listOf, repeated, signedBy, unknownFields } from './rule.ts'

const kinds = ['text', 'inlineData', 'fileData', 'functionCall', 'functionResponse']
const PLACEHOLDER = 'skip_thought_signature_validator'

/** @param signs the model wants its signature back in the first call of each step of the current turn */
export const geminiFlaw =
  (signs: boolean): BodyRule =>
  body => {
    const contents = listOf(body.contents).map(({ role = 'user', parts }) => ({ role, parts: listOf(parts) }))
    const names = listOf(body.tools)
      .flatMap(({ functionDeclarations }) => listOf(functionDeclarations))
      .map(({ name }) => name)
    if (contents[0]?.role !== 'user') return 'the first content is not of the user'
    if (repeated(names) !== undefined) return `duplicate function declaration ${repeated(names)}`
    return (
      firstFlaw(contents, contentFlaw) ??
      firstFlaw(contents, (content, index) => orderFlaw(content, contents[index - 1])) ??
      (contents.at(-1)!.parts.some(part => part.functionCall) ? 'a call without a response' : undefined) ??
      (signs ? unsignedFlaw(contents) : undefined)
    )
  }

interface Content {
  role: unknown
  parts: Json[]
}

function contentFlaw({ role, parts }: Content): string | undefined {
  if (role !== 'user' && role !== 'model') return `role ${role}`
  if (!parts.length) return 'a content without parts'
  return firstFlaw(parts, partFlaw)
}

function partFlaw(part: Json): string | undefined {
  const data = kinds.filter(kind => part[kind] !== undefined)
  if (data.length !== 1) return `a part of ${Object.keys(part)}`
  if (part.text === '' && !part.thoughtSignature) return 'an empty text'
  const { thoughtSignature: signature } = part
  if (signature !== undefined && signature !== PLACEHOLDER && signedBy('gemini', signature) === undefined)
    return 'corrupted thought signature'
  const response = part.functionResponse as Json | undefined
  if (response && (typeof response.response !== 'object' || !response.name)) return 'a response without a name'
  return unknownFields(part, ...kinds, 'thought', 'thoughtSignature')
}

/** The turn after calls has a response for each, in their order; roles alternate. */
function orderFlaw({ role, parts }: Content, before: Content | undefined): string | undefined {
  if (before?.role === role) return 'roles do not alternate'
  const idOf = (value: unknown) => `${(value as Json).name} ${(value as Json).id ?? ''}`
  const calls = before?.parts.flatMap(({ functionCall }) => (functionCall ? idOf(functionCall) : [])) ?? []
  const responses = parts.flatMap(({ functionResponse }) => (functionResponse ? idOf(functionResponse) : []))
  return String(calls) === String(responses) ? undefined : `calls ${calls} and responses ${responses}`
}

function unsignedFlaw(contents: Content[]): string | undefined {
  const isPrompt = ({ role, parts }: Content) => role === 'user' && !parts.some(part => part.functionResponse)
  return firstFlaw(contents.slice(contents.findLastIndex(isPrompt) + 1), ({ parts }) => {
    const [first] = parts.filter(part => part.functionCall)
    return first && !first.thoughtSignature ? 'a call without its thought signature' : undefined
  })
}
