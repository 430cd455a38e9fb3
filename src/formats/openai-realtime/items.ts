/**
 * Estimated tokens of what a client adds to a session: items of the conversation, instructions and tools.
 * https://platform.openai.com/docs/api-reference/realtime-client-events (read 2026-11)
 */
import { type Usage, usageOf } from '../../billing/usage.ts'
import { imageTokens } from '../../models/image-tokens.ts'
import { estimateTokens } from '../../pure/estimate-tokens.ts'
import type { Json } from '../../pure/json.ts'
import { isObject } from '../json/checks.ts'
import { objectOf, objectsOf, textOf } from '../json/lenient-json.ts'
import { sourceOf } from '../media/data-url.ts'
import { imageSizeOf } from '../media/image-size.ts'
import { inputAudioTokens, secondsOf } from './audio.ts'

/** The frame of an item and its role. */
const PER_ITEM = 4
const PER_TOOL = 8

/** What sound and pictures of an item are measured by. */
export interface ItemMeasure {
  /** Bytes of a second of sound. */
  rate: number
  model: string
}

export function itemUsage(item: Json, measure: ItemMeasure): Usage {
  const usage = usageOf({ input: PER_ITEM + estimateTokens(wordsOf(item)) })
  for (const { text, transcript, audio, image_url, detail } of objectsOf(item.content)) {
    usage.input += estimateTokens(textOf(text)) + estimateTokens(textOf(transcript))
    usage.input_audio += inputAudioTokens(secondsOf(audio, measure.rate))
    if (image_url !== undefined) usage.input_image += pictureTokens(image_url, detail, measure.model)
  }
  return usage
}

/** The texts of an item besides its content; all of an item that is neither a message nor a call of a function. */
function wordsOf({ type, content, name, arguments: args, output, ...item }: Json): string {
  if (content !== undefined || /^(message|function_call|item_reference)/.test(textOf(type)))
    return [name, args, output].map(textOf).join(' ')
  return JSON.stringify({ ...item, name, arguments: args, output })
}

function pictureTokens(image_url: unknown, detail: unknown, model: string): number {
  const source = sourceOf(textOf(isObject(image_url) ? image_url.url : image_url))
  const size = source.via === 'base64' ? imageSizeOf(source.data) : undefined
  return imageTokens(model, size, textOf(detail) || undefined)
}

/** Tokens of the instructions and tools of a session, or of one response. */
export function instructionTokens(session: unknown): number {
  const { instructions, tools } = objectOf(session)
  return estimateTokens(textOf(instructions)) + toolTokens(tools)
}

const toolTokens = (tools: unknown): number =>
  objectsOf(tools).reduce((sum, tool) => sum + PER_TOOL + estimateTokens(JSON.stringify(tool)), 0)
