/** A turn of a realtime session: a response that was asked for and is not reported yet. */

import { type Usage, usageOf } from '../../billing/usage.ts'
import { estimateTokens } from '../../pure/estimate-tokens.ts'
import type { Json } from '../../pure/json.ts'
import { isObject } from '../json/checks.ts'
import { objectOf, objectsOf, textOf } from '../json/lenient-json.ts'
import { outputAudioTokens, secondsOf } from './audio.ts'
import { type Conversation, sumOf } from './conversation.ts'
import { type ItemMeasure, instructionTokens, itemUsage } from './items.ts'

interface TurnRequest {
  /** What the conversation had when the turn began; undefined when the prompt has nothing of it. */
  mark: Usage | undefined
  /** Usage of the prompt for this response alone: instructions, tools and items. */
  own?: Usage
  /** The prompt has items of its own in place of the whole conversation. */
  hasItems?: boolean
  /** The response is no part of the conversation. */
  isApart?: boolean
  /** Id of its request, unique in the session; undefined after the end of speech. */
  event_id?: string
}

export class Turn {
  /** The upstream's id, once the response is created. */
  id: string | undefined
  #text = 0
  #seconds = 0

  constructor(readonly request: TurnRequest) {}

  /** Output tokens so far. */
  get output(): number {
    return this.#text + outputAudioTokens(this.#seconds)
  }

  /** Reads a piece of the response. @param rate bytes of a second of sound */
  read(type: string, delta: unknown, rate: number) {
    if (isAudio.test(type)) this.#seconds += secondsOf(delta, rate)
    else this.#text += estimateTokens(textOf(delta))
  }

  promptIn(conversation: Conversation): Usage {
    const { mark, own = usageOf() } = this.request
    return mark ? sumOf(conversation.promptAt(mark), own) : own
  }

  usageIn(conversation: Conversation): Usage {
    return sumOf(
      this.promptIn(conversation),
      usageOf({ output: this.#text, output_audio: outputAudioTokens(this.#seconds) }),
    )
  }
}

const isAudio = /^response\.(?:output_)?audio\.delta$/
const pieces =
  /^response\.(?:(?:output_)?(?:text|audio|audio_transcript)|function_call_arguments|mcp_call_arguments)\.delta$/

/** Whether an event of the upstream is a piece of a response. */
export const isPiece = (type: string) => pieces.test(type)

/** @param session what a prompt has of the session when it has nothing of the conversation */
export function requestedTurn(event: Json, mark: Usage, session: Usage, measure: ItemMeasure): Turn {
  const { input, conversation, ...response } = objectOf(event.response)
  const own = usageOf({ input: instructionTokens(response) })
  const request = { mark, own, isApart: conversation === 'none', event_id: textOf(event.event_id) }
  if (!Array.isArray(input)) return new Turn(request)
  const items = objectsOf(input)
  const usage = items.map(item => itemUsage(item, measure)).reduce(sumOf, own)
  // The items behind references are some of the conversation's.
  if (items.some(({ type }) => type === 'item_reference')) return new Turn({ ...request, own: usage, hasItems: true })
  return new Turn({ ...request, mark: undefined, own: sumOf(usage, session), hasItems: true })
}

/** A response becomes input of the next turn, each token of the same kind. */
export const asInput = ({ output, output_audio, output_image }: Usage): Usage =>
  usageOf({ input: output, input_audio: output_audio, input_image: output_image })

/** A report of a turn that failed before its first word, or that has used nothing. */
export const usedNothing = ({ status, usage }: Json): boolean =>
  status === 'failed' || (isObject(usage) && usage.input_tokens === 0)
