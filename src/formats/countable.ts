/**
 * What a tokenizer counts of a prompt: its texts, and the tokens that the chat format, images and files add.
 * https://cookbook.openai.com/examples/how_to_count_tokens_with_tiktoken (read 2026-11)
 */
import { imageTokens } from '../models/image-tokens.ts'
import { tokenizerOf } from '../models/tokenizers.ts'
import type { Json } from '../pure/json.ts'
import type { ChatMessage, ChatRequest, FunctionTool, Part, Tool } from './canonical/chat.ts'
import { mediaTokens, sizeOf } from './estimate.ts'
import type { Countable } from './format.ts'
import { objectOf, textOf } from './json/lenient-json.ts'

/** The frame of a message and its role. */
const PER_MESSAGE = 4
const PER_NAME = 1
const AT_THE_END = 3
/** The frame of a tool call, in a prompt and in a response. */
export const PER_TOOL_CALL = 7
const PER_PROPERTY = 3
const [PER_ENUM, PER_ENUM_VALUE] = [-3, 3]
const AFTER_TOOLS = 12
const PER_HOSTED_TOOL = 8

export function countablePrompt({ system, messages, tools }: ChatRequest, model: string): Countable {
  const instructions = system.map((part): ChatMessage => ({ role: 'system', parts: [part] }))
  return countableMessages([...instructions, ...messages], tools, model)
}

export function countableMessages(messages: ChatMessage[], tools: Tool[], model: string): Countable {
  const prompt = new Prompt(model)
  for (const message of messages) prompt.addMessage(message)
  for (const tool of tools) prompt.addTool(tool)
  if (tools.length) prompt.tokens += AFTER_TOOLS
  return { texts: prompt.texts, tokens: prompt.tokens }
}

class Prompt implements Countable {
  readonly texts: string[] = []
  tokens = AT_THE_END

  constructor(private readonly model: string) {}

  addMessage({ name, parts }: ChatMessage) {
    this.tokens += PER_MESSAGE
    if (name) {
      this.tokens += PER_NAME
      this.texts.push(name)
    }
    for (const part of parts) this.#addPart(part)
  }

  #addPart(part: Part) {
    switch (part.kind) {
      case 'text':
      case 'refusal':
      case 'thinking':
        this.texts.push(part.text)
        return
      case 'image': {
        this.tokens += imageTokens(this.model, sizeOf(part), part.detail)
        return
      }
      case 'audio':
        this.tokens += mediaTokens(part, this.model)
        return
      case 'file':
        if (part.source.via === 'text') this.texts.push(part.source.text)
        else this.tokens += mediaTokens(part, this.model)
        return
      case 'tool_call':
        this.tokens += PER_TOOL_CALL
        this.texts.push(part.name, part.arguments)
        return
      case 'tool_result':
        for (const inner of part.parts) this.#addPart(inner)
        return
      case 'native':
        this.texts.push(part.text ?? JSON.stringify(part.value))
    }
  }

  addTool(tool: Tool) {
    if (tool.kind === 'function') return this.#addFunction(tool)
    this.tokens += PER_HOSTED_TOOL
    this.texts.push(JSON.stringify(tool.value))
  }

  #addFunction({ name, description = '', parameters = {} }: FunctionTool) {
    this.tokens += tokenizerOf(this.model).encoding === 'cl100k' ? 10 : 7
    this.texts.push(`${name}:${withoutStop(description)}`)
    const properties = Object.entries(objectOf(parameters.properties))
    if (properties.length) this.tokens += PER_PROPERTY
    for (const [key, schema] of properties) this.#addProperty(key, objectOf(schema))
  }

  #addProperty(key: string, schema: Json) {
    this.tokens += PER_PROPERTY
    const values = Array.isArray(schema.enum) ? schema.enum : []
    if (values.length) this.tokens += PER_ENUM + values.length * PER_ENUM_VALUE
    this.texts.push(...values.map(String))
    const { properties, items } = schema
    const inner = properties || items ? JSON.stringify({ properties, items }) : ''
    this.texts.push(`${key}:${textOf(schema.type)}:${withoutStop(textOf(schema.description))}${inner}`)
  }
}

const withoutStop = (sentence: string) => sentence.replace(/\.$/, '')
