/**
 * Reads the body of POST /v1beta/models/{model}:generateContent into a ChatRequest.
 * https://ai.google.dev/api/generate-content (read 2026-11)
 */
import { type Effort, efforts } from '../../models/effort.ts'
import type { Json } from '../../pure/json.ts'
import type { ChatRequest, OutputFormat, Reasoning, TextPart, Tool, ToolChoice } from '../canonical/chat.ts'
import { conversationIn } from '../canonical/conversation.ts'
import { type Modality, modalities } from '../canonical/modalities.ts'
import type { ChatClientFormat } from '../format.ts'
import { CHOICES_LIMIT } from '../json/checks.ts'
import { entryOf, objectOf } from '../json/lenient-json.ts'
import { type Field, reading } from '../json/strict-json.ts'
import { camelised } from './names.ts'
import { readContents } from './read-contents.ts'
import { readSchema } from './schema.ts'
import { DYNAMIC } from './thinking.ts'

/** @param url model and stream flag: both stand in the path, not in the body */
export const readRequest: ChatClientFormat['readRequest'] = (body, url = {}) =>
  reading(objectOf(camelised(body)), field => request(field, url.model ?? '', url.stream ?? false))

const knownFields = ['contents', 'systemInstruction', 'tools', 'toolConfig', 'generationConfig', 'model']
const knownConfig = [
  ...['temperature', 'topP', 'topK', 'candidateCount', 'maxOutputTokens', 'stopSequences', 'seed', 'presencePenalty'],
  ...['frequencyPenalty', 'responseMimeType', 'responseSchema', 'responseJsonSchema', 'responseLogprobs', 'logprobs'],
  ...['thinkingConfig', 'responseModalities'],
]

function request(body: Field, model: string, stream: boolean): ChatRequest {
  const config = body.at('generationConfig')
  return {
    model,
    stream,
    wants_usage: true,
    system: readSystem(body.find('systemInstruction')),
    messages: readContents(body.at('contents').oneOrMore()),
    tools: body.find('tools')?.oneOrMore().flatMap(readTools) ?? [],
    tool_choice: readToolChoice(body.at('toolConfig').find('functionCallingConfig')),
    max_output: config.find('maxOutputTokens')?.whole(),
    choices: config.find('candidateCount')?.whole(1, CHOICES_LIMIT),
    sampling: {
      temperature: config.find('temperature')?.number(),
      top_p: config.find('topP')?.number(),
      top_k: config.find('topK')?.number(),
      seed: config.find('seed')?.number(),
      presence_penalty: config.find('presencePenalty')?.number(),
      frequency_penalty: config.find('frequencyPenalty')?.number(),
    },
    stop:
      config
        .find('stopSequences')
        ?.list()
        .map(stop => stop.text()) ?? [],
    logprobs: config.find('responseLogprobs')?.flag() ? (config.find('logprobs')?.whole() ?? 0) : undefined,
    reasoning: readReasoning(config.find('thinkingConfig')),
    output: readOutput(config),
    modalities: readModalities(config.find('responseModalities')),
    stored_by: body.at('cachedContent').value ? 'gemini' : undefined,
    conversation: conversationIn(body.at('labels')),
    extra: readExtra(body),
  }
}

function readExtra(body: Field): ChatRequest['extra'] {
  const config = body.find('generationConfig')?.without(knownConfig) ?? {}
  const native: Json = { ...body.without(knownFields), ...(Object.keys(config).length && { generationConfig: config }) }
  return Object.keys(native).length ? { gemini: native } : {}
}

function readSystem(system: Field | undefined): TextPart[] {
  if (!system) return []
  if (typeof system.value === 'string') return [{ kind: 'text', text: system.value }]
  return system
    .at('parts')
    .oneOrMore()
    .map(part => ({ kind: 'text', text: part.at('text').text() }))
}

const offers: Record<string, 'web_search' | 'code_execution'> = {
  googleSearch: 'web_search',
  googleSearchRetrieval: 'web_search',
  codeExecution: 'code_execution',
}

/** One entry holds any number of functions, and hosted tools beside them. */
function readTools(entry: Field): Tool[] {
  const functions = entry.find('functionDeclarations')?.list().map(readFunction) ?? []
  const hosted = Object.entries(entry.without(['functionDeclarations'])).map(
    ([name, value]): Tool => ({
      kind: 'hosted',
      offer: entryOf(offers, name),
      format: 'gemini',
      value: { [name]: value },
    }),
  )
  return [...functions, ...hosted]
}

function readFunction(tool: Field): Tool {
  const openApi = tool.find('parameters')?.object()
  return {
    kind: 'function',
    name: tool.at('name').text(),
    description: tool.find('description')?.text(),
    parameters: tool.find('parametersJsonSchema')?.object() ?? (openApi && readSchema(openApi)),
    strict: false,
  }
}

function readToolChoice(config: Field | undefined): ToolChoice | undefined {
  if (!config) return undefined
  const names =
    config
      .find('allowedFunctionNames')
      ?.list()
      .map(name => name.text()) ?? []
  const [first] = names
  switch (config.find('mode')?.oneOf(['MODE_UNSPECIFIED', 'AUTO', 'ANY', 'NONE', 'VALIDATED'])) {
    case 'ANY':
      if (names.length > 1) return { kind: 'allowed', names, required: true }
      return first === undefined ? { kind: 'required' } : { kind: 'tool', name: first }
    case 'NONE':
      return { kind: 'none' }
    case 'VALIDATED':
      return names.length ? { kind: 'allowed', names, required: false } : { kind: 'auto' }
    default:
      return { kind: 'auto' }
  }
}

function readReasoning(config: Field | undefined): Reasoning | undefined {
  if (!config) return undefined
  const budget = config.find('thinkingBudget')?.whole(DYNAMIC)
  const show = config.find('includeThoughts')?.flag()
  const effort = readLevel(config.at('thinkingLevel'))
  return budget !== undefined && budget < 0 ? { adaptive: true, show } : { budget, effort, show }
}

function readModalities(names: Field | undefined): Modality[] | undefined {
  const requested = names?.list().map(name => name.text().toLowerCase())
  return requested && modalities.filter(modality => requested.includes(modality))
}

function readLevel(level: Field): Effort | undefined {
  const name = level.optional?.text().toLowerCase()
  if (name === undefined || name === 'thinking_level_unspecified') return undefined
  return level.withValue(name).oneOf<Effort>(efforts)
}

function readOutput(config: Field): OutputFormat | undefined {
  const type = config.find('responseMimeType')?.text()
  if (type === undefined) return undefined
  const openApi = config.find('responseSchema')?.object()
  const schema = config.find('responseJsonSchema')?.object() ?? (openApi && readSchema(openApi))
  if (schema) return { kind: 'schema', schema }
  return { kind: type === 'application/json' ? 'json' : 'text' }
}
