/** Writes a ChatRequest as the body of generateContent. https://ai.google.dev/api/generate-content (read 2026-11) */
import { traitsOf } from '../../models/traits.ts'
import type { ChatRequest, FunctionTool, HostedTool, OutputFormat, TextPart, ToolChoice } from '../canonical/chat.ts'
import { isObject } from '../json/checks.ts'
import { objectOf } from '../json/lenient-json.ts'
import { takesHosted } from './hosted.ts'
import { writeSchema } from './schema.ts'
import { writeThinking } from './thinking.ts'
import type { GeminiBody, GeminiChoice, GeminiConfig, GeminiFunction, GeminiTool, GeminiToolConfig } from './wire.ts'
import { writeContents } from './write-contents.ts'

export function writeRequest(request: ChatRequest): GeminiBody {
  const system = systemTexts(request)
  const takesSystem = traitsOf(request.model, 'google').system
  const { generationConfig: _, ...native } = request.extra.gemini ?? {}
  const config = writeConfig(request)
  return {
    ...(native as object),
    ...(system.length && takesSystem ? writeInstructions(system) : undefined),
    contents: writeContents(takesSystem ? request : withSystemFirst(request, system)),
    ...writeTools(request),
    ...(Object.keys(config).length ? ({ generationConfig: config } satisfies Partial<GeminiBody>) : undefined),
  }
}

const writeInstructions = (system: TextPart[]): Partial<GeminiBody> => ({
  systemInstruction: { parts: system.map(({ text }) => ({ text })) },
})

/** System messages from inside the conversation move to `systemInstruction`, the only place for them. */
function systemTexts({ system, messages }: ChatRequest): TextPart[] {
  const later = messages.filter(({ role }) => role === 'system').flatMap(({ parts }) => parts)
  return [...system, ...later].filter((part): part is TextPart => part.kind === 'text' && part.text !== '')
}

const withSystemFirst = (request: ChatRequest, system: TextPart[]): ChatRequest => ({
  ...request,
  messages: system.length ? [{ role: 'user', parts: system }, ...request.messages] : request.messages,
})

function writeConfig(request: ChatRequest): GeminiConfig {
  const { sampling, stop, logprobs, choices, max_output } = request
  const config: GeminiConfig = {
    ...(objectOf(request.extra.gemini?.generationConfig) as object),
    temperature: sampling.temperature,
    topP: sampling.top_p,
    topK: sampling.top_k,
    seed: sampling.seed,
    presencePenalty: sampling.presence_penalty,
    frequencyPenalty: sampling.frequency_penalty,
    candidateCount: choices,
    maxOutputTokens: max_output,
    stopSequences: stop.length ? stop : undefined,
    responseLogprobs: logprobs === undefined ? undefined : true,
    logprobs: logprobs || undefined,
    ...writeOutput(request.output),
    responseModalities: writeModalities(request),
    thinkingConfig: writeThinking(request),
  }
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined))
}

const JSON_TYPE = 'application/json'

/** Image and speech models must be asked for their modality. A speech model writes no text. */
function writeModalities({ modalities = [], model }: ChatRequest): string[] | undefined {
  const { output } = traitsOf(model, 'google')
  if (modalities.includes('audio') || output === 'audio') return ['AUDIO']
  return modalities.includes('image') || output === 'image' ? ['TEXT', 'IMAGE'] : undefined
}

function writeOutput(output: OutputFormat | undefined): GeminiConfig {
  if (!output) return {}
  switch (output.kind) {
    case 'text':
      return { responseMimeType: 'text/plain' }
    case 'json':
      return { responseMimeType: JSON_TYPE }
    case 'schema':
      return { responseMimeType: JSON_TYPE, responseSchema: writeSchema(output.schema) }
  }
}

/** All functions stand in one entry, each hosted tool in an entry of its own. */
function writeTools({ tools, tool_choice, model }: ChatRequest): Pick<GeminiBody, 'tools' | 'toolConfig'> {
  const functions = tools.filter((tool): tool is FunctionTool => tool.kind === 'function').map(writeFunction)
  const requested = tools.filter((tool): tool is HostedTool => tool.kind === 'hosted').flatMap(writeHosted)
  const hosted = takesHosted(model, tools) ? requested : []
  const declared: GeminiTool[] = functions.length ? [{ functionDeclarations: functions }] : []
  const entries = [...declared, ...hosted]
  if (!entries.length) return {}
  const choice = functions.length ? tool_choice : undefined
  if (functions.length && hosted.length) return { tools: entries, toolConfig: mixedConfig(choice) }
  return { tools: entries, toolConfig: choice && { functionCallingConfig: writeChoice(choice) } }
}

/**
 * Hosted tools stand beside functions only if the response shows their calls, and then there is no mode AUTO.
 * https://ai.google.dev/gemini-api/docs/tool-combination (read 2026-11)
 */
function mixedConfig(choice: ToolChoice | undefined): GeminiToolConfig {
  const config: GeminiChoice = choice && choice.kind !== 'auto' ? writeChoice(choice) : { mode: 'VALIDATED' }
  return { functionCallingConfig: config, includeServerSideToolInvocations: true }
}

/** A function without arguments has no `parameters`: Gemini rejects an object schema without properties. */
function writeFunction({ name, description, parameters }: FunctionTool): GeminiFunction {
  const schema = parameters && writeSchema(parameters)
  const hasArguments = isObject(schema?.properties) && Object.keys(schema.properties).length > 0
  return { name, description, parameters: hasArguments ? schema : undefined }
}

const offers: Record<NonNullable<HostedTool['offer']>, GeminiTool> = {
  web_search: { googleSearch: {} },
  code_execution: { codeExecution: {} },
}

function writeHosted({ offer, format, value }: HostedTool): GeminiTool[] {
  if (format === 'gemini') return [value as GeminiTool]
  return offer ? [offers[offer]] : []
}

function writeChoice(choice: ToolChoice): GeminiChoice {
  switch (choice.kind) {
    case 'auto':
      return { mode: 'AUTO' }
    case 'none':
      return { mode: 'NONE' }
    case 'required':
      return { mode: 'ANY' }
    case 'tool':
      return { mode: 'ANY', allowedFunctionNames: [choice.name] }
    case 'allowed':
      return { mode: choice.required ? 'ANY' : 'VALIDATED', allowedFunctionNames: choice.names }
  }
}
