/** Writes a ChatRequest as the only message to the WebSocket. https://www.xfyun.cn/doc/spark/Web.html (read 2026-11) */
import { createHash } from 'node:crypto'
import { alternating, instructionsOf, PLACEHOLDER } from '../canonical/alternating.ts'
import type { ChatMessage, ChatRequest, Part, Sampling, Tool } from '../canonical/chat.ts'
import { plainText } from '../media/plain-text.ts'
import { joinedText } from '../openai-chat/write-messages.ts'
import type { SparkBody, SparkParameters, SparkText, SparkTool } from './wire.ts'

/** The provider replaces the model by its domain and adds the app. */
export function writeRequest(request: ChatRequest): SparkBody {
  const { model, max_output, sampling, tools, user } = request
  return {
    header: { uid: user && uidFor(user) },
    parameter: {
      chat: { domain: model, ...writeSampling(sampling), max_tokens: max_output, tools: writeSearch(tools) },
    },
    payload: { message: { text: writeTexts(request) } },
  }
}

const UID_MAX = 32

const uidFor = (user: string): string =>
  user.length > UID_MAX ? createHash('sha256').update(user).digest('hex').slice(0, UID_MAX) : user

const TEMPERATURE_MIN = 0.01
const TOP_K_MAX = 6

const writeSampling = ({ temperature, top_k }: Sampling): Partial<SparkParameters> => ({
  temperature: temperature === undefined ? undefined : Math.min(Math.max(temperature, TEMPERATURE_MIN), 1),
  top_k: top_k === undefined ? undefined : Math.min(Math.max(Math.round(top_k), 1), TOP_K_MAX),
})

const isSearch = (tool: Tool) => tool.kind === 'hosted' && tool.offer === 'web_search'

const writeSearch = (tools: Tool[]): SparkTool[] | undefined =>
  tools.some(isSearch) ? [{ type: 'web_search', web_search: { enable: true } }] : undefined

function writeTexts(request: ChatRequest): SparkText[] {
  const system = instructionsOf(request, true)
  const messages = alternating(request.messages).map(writeMessage)
  return system ? [{ role: 'system', content: system }, ...messages] : messages
}

const writeMessage = ({ role, parts }: ChatMessage): SparkText => ({
  role,
  content: parts.map(textOf).filter(Boolean).join('\n') || PLACEHOLDER,
})

function textOf(part: Part): string {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return part.text
    case 'file':
      return [part.context, part.name, plainText(part.source)].filter(Boolean).join('\n\n')
    case 'tool_call':
      return `${part.name}(${part.arguments || '{}'})`
    case 'tool_result':
      return joinedText(part.parts)
    default:
      return ''
  }
}
