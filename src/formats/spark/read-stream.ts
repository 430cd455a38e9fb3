/** Reads the frames of a WebSocket as StreamEvents. https://www.xfyun.cn/doc/spark/Web.html (read 2026-11) */
import { parsedOrUndefined } from '../../pure/json.ts'
import { unreadable } from '../canonical/api-error.ts'
import { assemble } from '../canonical/assemble.ts'
import type { ChatResponse, StreamEvent } from '../canonical/chat.ts'
import { PartTracker } from '../canonical/part-tracker.ts'
import type { EventReader } from '../format.ts'
import { isObject } from '../json/checks.ts'
import { objectOf, objectsOf, textOf, type UnreadFields } from '../json/lenient-json.ts'
import { readUsage } from '../openai-chat/usage.ts'
import { readError } from './api-error.ts'
import type { SparkFrame, SparkPayload, SparkPiece } from './wire.ts'

const LAST = 2

/** @param frame of the upstream. @returns whether nothing follows it */
export const isLastFrame = ({ header, payload }: UnreadFields<SparkFrame>): boolean => {
  const { code, status } = objectOf<SparkFrame['header']>(header)
  return (
    Boolean(code) ||
    status === LAST ||
    objectOf<SparkPayload['choices']>(objectOf<SparkPayload>(payload).choices).status === LAST
  )
}

export const readStream = (): EventReader => new FrameReader()

/** A whole response is one frame, the last. */
export function readResponse(body: unknown): ChatResponse | undefined {
  if (!isObject(body) || !isObject(body.payload) || !isLastFrame(body) || readError(body)) return undefined
  return assemble(new FrameReader().frame(body))
}

class FrameReader implements EventReader {
  #started = false
  readonly #parts = new PartTracker(0)

  read(data: string): StreamEvent[] {
    const frame = parsedOrUndefined(data)
    if (!isObject(frame) || !isObject(frame.header)) return [{ kind: 'error', failure: unreadable }]
    const failure = readError(frame)
    return failure ? [{ kind: 'error', failure }] : this.frame(frame)
  }

  frame(frame: UnreadFields<SparkFrame>): StreamEvent[] {
    const payload = objectOf<SparkPayload>(frame.payload)
    const texts = objectsOf<SparkPiece>(objectOf<SparkPayload['choices']>(payload.choices).text)
    return [
      ...this.#start(objectOf<SparkFrame['header']>(frame.header)),
      ...texts.flatMap(text => this.#text(text)),
      ...usageIn(payload),
      ...(isLastFrame(frame) ? this.#finish() : []),
    ]
  }

  /** Only the last frame completes a response. */
  end(): StreamEvent[] {
    return []
  }

  #start({ sid }: UnreadFields<SparkFrame['header']>): StreamEvent[] {
    if (this.#started) return []
    this.#started = true
    return [{ kind: 'start', id: textOf(sid), model: '' }]
  }

  #text({ content, reasoning_content }: UnreadFields<SparkPiece>): StreamEvent[] {
    return [...this.#add('thinking', textOf(reasoning_content)), ...this.#add('text', textOf(content))]
  }

  #add(kind: 'text' | 'thinking', text: string): StreamEvent[] {
    return text ? this.#parts.add(kind, { kind, text: '' }, [{ text }]) : []
  }

  #finish(): StreamEvent[] {
    return [...this.#parts.closeAll(), { kind: 'finish', choice: 0, finish: { reason: 'stop' } }, { kind: 'end' }]
  }
}

/** The sum so far: the last one counts. */
function usageIn({ usage }: UnreadFields<SparkPayload>): StreamEvent[] {
  const doubts: string[] = []
  const read = readUsage(objectOf<NonNullable<SparkPayload['usage']>>(usage).text, doubts)
  return read ? [{ kind: 'usage', usage: read, doubts }] : []
}
