/** Turns of parts, as messages. */

import { traitsOf } from '../../models/traits.ts'
import type { Json } from '../../pure/json.ts'
import type {
  AudioPart,
  ChatMessage,
  ChatRequest,
  FilePart,
  ImagePart,
  Part,
  TextPart,
  ThinkingPart,
  ToolCall,
  ToolResult,
} from '../canonical/chat.ts'
import { dataOf, urlOf } from '../media/data-url.ts'
import { callIdFor, fileFields } from '../openai-shared.ts'
import { writeReasoningDetails } from './reasoning-details.ts'

export function writeMessages({ messages, model }: ChatRequest): Json[] {
  const round = traitsOf(model, 'openai').is_own ? messages.length : openRound(messages)
  return messages.flatMap((turn, index) => writeTurn(turn, index >= round))
}

/** Where the round of tool calls begins that is not finished yet: after the last thing that a person said. */
function openRound(turns: ChatMessage[]): number {
  const isSpoken = ({ role, parts }: ChatMessage) => role === 'user' && parts.some(part => part.kind !== 'tool_result')
  return turns.findLastIndex(isSpoken) + 1
}

function writeTurn(turn: ChatMessage, isOpen: boolean): Json[] {
  const { role, parts, name } = turn
  switch (role) {
    case 'system':
      return [{ role, content: parts.flatMap(part => (part.kind === 'text' ? part.text : [])).join('\n'), name }]
    case 'assistant':
      return [writeAssistant(turn, isOpen)]
    case 'user':
      return writeUser(turn)
  }
}

/** Results come first, for they answer the message before; their pictures cannot be in them. */
function writeUser({ parts, name }: ChatMessage): Json[] {
  const results = parts.filter((part): part is ToolResult => part.kind === 'tool_result')
  const shown = results.flatMap(result => result.parts.filter(part => part.kind !== 'text'))
  const said = [...shown, ...parts].flatMap(writeContentPart)
  if (!said.length && results.length) return results.map(writeResult)
  return [...results.map(writeResult), { role: 'user', content: contentOf(said), name }]
}

const writeResult = ({ id, parts }: ToolResult): Json => ({
  role: 'tool',
  tool_call_id: callIdFor(id),
  content: parts.flatMap(part => (part.kind === 'text' ? part.text : [])).join('\n'),
})

/** A single text needs no list around it. */
function contentOf(parts: Json[]): unknown {
  const [only] = parts
  if (!only) return ''
  return parts.length === 1 && only.type === 'text' ? only.text : parts
}

function writeAssistant({ parts, name }: ChatMessage, isOpen: boolean): Json {
  const calls = parts.filter((part): part is ToolCall => part.kind === 'tool_call')
  const refusals = parts.flatMap(part => (part.kind === 'refusal' ? part.text : []))
  const texts = parts.filter(part => part.kind === 'text').flatMap(writeContentPart)
  const audio = parts.find(part => part.kind === 'native' && part.format === 'openai-chat')
  return {
    role: 'assistant',
    content: texts.length ? contentOf(texts) : calls.length || refusals.length ? null : '',
    name,
    ...(isOpen && writeThoughts(parts.filter((part): part is ThinkingPart => part.kind === 'thinking'))),
    refusal: refusals.length ? refusals.join('') : undefined,
    ...(audio?.kind === 'native' ? audio.value : undefined),
    tool_calls: calls.length ? calls.map(writeCall) : undefined,
  }
}

/** Those who speak this format differ in what they take back: all take it while the model is at work with its tools. */
function writeThoughts(thoughts: ThinkingPart[]): Json {
  const text = wordsOf(thoughts)
  return { reasoning_content: text || undefined, reasoning_details: writeReasoningDetails(thoughts) }
}

/** Of a thought that is hidden there are none. */
export const wordsOf = (thoughts: ThinkingPart[]): string =>
  thoughts
    .map(({ text }) => text)
    .filter(Boolean)
    .join('\n\n')

export const writeCall = ({ id, name, arguments: text, signature }: ToolCall): Json => ({
  id: callIdFor(id),
  type: 'function',
  function: { name, arguments: text || '{}' },
  ...(signature?.owner === 'gemini' && { extra_content: { google: { thought_signature: signature.value } } }),
})

function writeContentPart(part: Part): Json[] {
  switch (part.kind) {
    case 'text':
      return part.text ? [writeText(part)] : []
    case 'image':
      return writeImage(part)
    case 'audio':
      return writeAudio(part)
    case 'file':
      return writeFile(part)
    case 'refusal':
    case 'thinking':
    case 'tool_call':
    case 'tool_result':
    case 'native':
      return []
  }
}

const writeText = ({ text }: TextPart): Json => ({ type: 'text', text })

function writeImage({ source, detail }: ImagePart): Json[] {
  const url = urlOf(source)
  return url === undefined
    ? []
    : [{ type: 'image_url', image_url: { url, detail: detail === 'original' ? 'high' : detail } }]
}

function writeAudio({ source }: AudioPart): Json[] {
  const sound = dataOf(source)
  if (!sound) return []
  const format = sound.media_type.replace(/^audio\/(?:x-)?/, '').replace('mpeg', 'mp3')
  return [{ type: 'input_audio', input_audio: { data: sound.data, format } }]
}

/** A text file is text here; a video goes the way that those vendors take it who take any. */
function writeFile({ source, name, context }: FilePart): Json[] {
  const about = context ? [writeText({ kind: 'text', text: context })] : []
  const text = plainText(source)
  if (text !== undefined) return [...about, writeText({ kind: 'text', text: name ? `${name}\n\n${text}` : text })]
  const media_type = source.via === 'base64' || source.via === 'url' ? source.media_type : undefined
  if (media_type?.startsWith('video/')) return [...about, { type: 'video_url', video_url: { url: urlOf(source) } }]
  return source.via === 'url' ? about : [...about, { type: 'file', file: fileFields(source, name) }]
}

export function plainText(source: FilePart['source']): string | undefined {
  if (source.via === 'text') return source.text
  const isText = source.via === 'base64' && /^text\/|\/(?:json|xml)$/.test(source.media_type)
  return isText ? Buffer.from(source.data, 'base64').toString('utf8') : undefined
}
