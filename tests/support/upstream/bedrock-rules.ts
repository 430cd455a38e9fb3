/** What Bedrock checks of bodies. */
import { isDeepStrictEqual } from 'node:util'
import { type Json, knowing, needing, type Rule } from './strict-provider.ts'

/** Anthropic's body of InvokeModel. */
export const anInvoke: Rule[] = [
  needing('anthropic_version', 'max_tokens', 'messages'),
  knowing(
    ...['anthropic_version', 'anthropic_beta', 'max_tokens', 'messages', 'system', 'stop_sequences', 'temperature'],
    ...['top_p', 'top_k', 'tools', 'tool_choice', 'thinking', 'output_config', 'metadata', 'context_management'],
  ),
  ({ anthropic_version: version }) =>
    ['bedrock-2023-05-31', '2026-10-21'].includes(version) ? undefined : `version ${version}`,
  ({ tools = [] }) =>
    tools.some((tool: Json) => 'eager_input_streaming' in tool) ? 'eager_input_streaming' : undefined,
  body => (JSON.stringify(body).includes('"type":"url"') ? 'URL sources are not supported' : undefined),
]

const blockKinds = ['text', 'image', 'document', 'video', 'toolUse', 'toolResult', 'cachePoint', 'reasoningContent']

export const aConverse: Rule[] = [
  needing('messages'),
  knowing(
    ...['messages', 'system', 'inferenceConfig', 'toolConfig', 'additionalModelRequestFields', 'outputConfig'],
    ...['guardrailConfig', 'requestMetadata', 'performanceConfig', 'serviceTier'],
  ),
  ({ inferenceConfig = {} }) => knowing('maxTokens', 'temperature', 'topP', 'stopSequences')(inferenceConfig),
  ({ inferenceConfig: { temperature = 0 } = {} }) => (temperature <= 1 ? undefined : 'temperature above 1'),
  ({ messages }) => messages.map(messageFlaw).find(Boolean),
  ({ messages }) => alternationFlaw(messages.map(({ role }: Json) => role)),
  toolFlaw,
  documentFlaw,
  ({ system = [] }) => (system.some((block: Json) => block.text?.trim() === '') ? 'blank system text' : undefined),
  ({ outputConfig }) => outputConfig && schemaFlaw(outputConfig),
]

function messageFlaw({ role, content, ...others }: Json): string | undefined {
  if (Object.keys(others).length) return `unknown fields of a message: ${Object.keys(others)}`
  if (!['user', 'assistant'].includes(role)) return `role ${role}`
  if (!Array.isArray(content) || !content.length) return 'a message without content'
  return content.map(blockFlaw).find(Boolean)
}

function blockFlaw(block: Json): string | undefined {
  const [kind = '', ...others] = Object.keys(block)
  if (others.length || !blockKinds.includes(kind)) return `a block of ${Object.keys(block)}`
  if (kind === 'text') return block.text.trim() ? undefined : 'a blank text'
  if (kind === 'image') return formatFlaw(block.image, /^(?:png|jpeg|gif|webp)$/)
  if (kind === 'document')
    return formatFlaw(block.document, /^(?:pdf|csv|doc|docx|xls|xlsx|html|txt|md)$/) ?? nameFlaw(block.document)
  if (kind === 'toolUse') return typeof block.toolUse.input === 'object' ? idFlaw(block.toolUse) : 'input is no object'
  if (kind !== 'toolResult') return undefined
  return block.toolResult.content.length ? idFlaw(block.toolResult) : 'an empty result'
}

const formatFlaw = ({ format, source }: Json, formats: RegExp) =>
  formats.test(format) && /^[\w+/]+=*$/.test(source.bytes) ? undefined : `format ${format}, or no base64`

const nameFlaw = ({ name }: Json) =>
  /^[a-zA-Z0-9()[\]-]+(?:\s[a-zA-Z0-9()[\]-]+)*$/.test(name) ? undefined : `document name ${name}`

const idFlaw = ({ toolUseId }: Json) => (/^[\w-]{1,64}$/.test(toolUseId) ? undefined : `tool id ${toolUseId}`)

function alternationFlaw(roles: string[]): string | undefined {
  if (roles[0] !== 'user') return 'the first message is not the user’s'
  return roles.some((role, index) => role === roles[index - 1]) ? 'roles do not alternate' : undefined
}

function toolFlaw({ messages, toolConfig }: Json): string | undefined {
  const blocks: Json[] = messages.flatMap(({ content }: Json) => content)
  const isCalled = blocks.some(block => 'toolUse' in block || 'toolResult' in block)
  if (isCalled && !toolConfig) return 'toolConfig is required'
  if (!toolConfig) return undefined
  const specs: Json[] = toolConfig.tools.flatMap(({ toolSpec }: Json) => toolSpec ?? [])
  const called = blocks.flatMap(({ toolUse }) => toolUse?.toolUseId ?? [])
  const answered = blocks.flatMap(({ toolResult }) => toolResult?.toolUseId ?? [])
  if (!isDeepStrictEqual(called.toSorted(), answered.toSorted())) return 'calls and results do not match'
  if (specs.some(({ inputSchema }) => inputSchema.json.type !== 'object')) return 'a schema of no object'
  return specs.every(({ name }) => /^[\w-]{1,64}$/.test(name)) ? undefined : 'a name of a tool'
}

function documentFlaw({ messages }: Json): string | undefined {
  const names: string[] = messages.flatMap(({ content }: Json) =>
    content.flatMap(({ document }: Json) => document?.name ?? []),
  )
  if (new Set(names).size < names.length) return 'two documents of one name'
  const isBare = ({ content }: Json) =>
    content.some((block: Json) => 'document' in block) && !content.some((block: Json) => 'text' in block)
  return messages.some(isBare) ? 'a document without a text' : undefined
}

function schemaFlaw({ textFormat: { type, structure } }: Json): string | undefined {
  const { schema } = structure.jsonSchema
  return type === 'json_schema' && typeof schema === 'string' && JSON.parse(schema)
    ? undefined
    : 'a schema that is no text'
}

/** Amazon's embeddings take one text. */
export const aTitanEmbedding: Rule[] = [
  knowing('inputText', 'dimensions', 'normalize'),
  ({ inputText }) => (typeof inputText === 'string' && inputText ? undefined : 'inputText is no text'),
]

export const aCohereEmbedding: Rule[] = [
  needing('texts', 'input_type'),
  knowing('texts', 'input_type', 'truncate', 'embedding_types', 'output_dimension'),
  ({ texts }) => (texts.length <= 96 ? undefined : 'more than 96 texts'),
]

export const aPicture: Rule[] = [
  needing('taskType', 'textToImageParams', 'imageGenerationConfig'),
  knowing('taskType', 'textToImageParams', 'imageGenerationConfig'),
  ({ imageGenerationConfig }) =>
    knowing('numberOfImages', 'width', 'height', 'quality', 'cfgScale', 'seed')(imageGenerationConfig),
]
