/** Random conversations as clients of Gemini send them: the SDKs keep each chunk of a stream as a content. */
import type { Json } from '../../../src/pure/json.ts'
import { openCitySchema, picture } from '../wire/sse.ts'
import type { Conversation, Item } from './conversation.ts'
import { argumentsOf, grouped, idOf, nameOf, sideOf, textOf, thoughtOf, toolNames, wrappedFor } from './item-texts.ts'

const image = { inlineData: { mimeType: 'image/png', data: picture } }

export function geminiBody(conversation: Conversation): Json {
  const { items, system, pieces, bare_ids, thinks, tools, max_output } = conversation
  const instructions = [...system, ...items.filter(({ kind }) => kind === 'system').map(textOf)]
  const said = items.filter(({ kind }) => kind !== 'system')
  // Nothing tells where a thought without a signature ends and the pieces of another begin.
  const spoken = said.filter(({ kind, owner }, at) => kind !== 'thought' || owner || said[at + 1]?.kind !== 'thought')
  const write = (item: Item) => partsOf(item, pieces, bare_ids)
  const declared = toolNames(conversation).map(name => ({ name, parameters: openCitySchema }))
  return {
    contents: grouped(spoken, (last, next) => sideOf(last) === sideOf(next)).flatMap(group =>
      contentsOf(group, group.flatMap(write), pieces),
    ),
    ...(instructions.length && { systemInstruction: { parts: instructions.map(text => ({ text })) } }),
    ...(tools && { tools: [{ functionDeclarations: declared }, { googleSearch: {} }] }),
    generationConfig: {
      maxOutputTokens: max_output,
      ...(thinks && { thinkingConfig: { includeThoughts: true, thinkingBudget: 2000 } }),
    },
  }
}

function contentsOf(group: Item[], parts: Json[], pieces: boolean): Json[] {
  const role = sideOf(group[0]!) === 'assistant' ? 'model' : 'user'
  if (!pieces || role === 'user') return [{ role, parts }]
  return [...parts.map(part => ({ role, parts: [part] })), { role, parts: [{ text: '' }] }]
}

function partsOf(item: Item, pieces: boolean, bare_ids: boolean): Json[] {
  const text = textOf(item)
  const id = bare_ids ? {} : { id: idOf(item) }
  switch (item.kind) {
    case 'user':
    case 'system':
      return [{ text }]
    case 'assistant':
      return pieces ? [{ text: text.slice(0, 2) }, { text: text.slice(2) }] : [{ text }]
    case 'image':
      return [image]
    case 'thought':
      return thoughtsOf(item, pieces)
    case 'call':
      return [{ functionCall: { ...id, name: nameOf(item), args: argumentsOf(item) } }]
    case 'result': {
      const response = item.error ? { error: text } : { output: text }
      return [{ functionResponse: { ...id, name: nameOf(item), response, ...(item.image && { parts: [image] }) } }]
    }
    case 'hosted':
      return [
        { executableCode: { language: 'PYTHON', code: '1' } },
        { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
      ]
  }
}

function thoughtsOf(item: Item, pieces: boolean): Json[] {
  const text = thoughtOf(item)
  const signature = wrappedFor('gemini', item)
  const signed = signature ? { thoughtSignature: signature } : {}
  if (!pieces || item.redacted) return [{ text, thought: true, ...signed }]
  const parts = [text.slice(0, 4), text.slice(4)].map(text => ({ text, thought: true }))
  return signature ? [...parts, { text: '', thought: true, ...signed }] : parts
}
