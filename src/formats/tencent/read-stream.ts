/** Reads the events of a streamed response, which have no wrapper. https://cloud.tencent.com/document/product/1729/105701 (read 2026-11) */
import { parsedOrUndefined } from '../../pure/json.ts'
import type { StreamEvent } from '../canonical/chat.ts'
import type { EventReader } from '../format.ts'
import { isObject } from '../json/checks.ts'
import { readStream as readOpenAiStream } from '../openai-chat/read-stream.ts'
import { readError } from './api-error.ts'
import { asOpenAi } from './as-openai.ts'

/** A stream ends with its bytes, or with `[DONE]`. */
export function readStream(): EventReader {
  const reader = readOpenAiStream()
  return {
    read(data): StreamEvent[] {
      const event = parsedOrUndefined(data)
      if (!isObject(event)) return reader.read(data)
      const failure = readError(event)
      if (failure) return [{ kind: 'error', failure }]
      return reader.read(JSON.stringify(asOpenAi(event)))
    },
    end: () => reader.end(),
  }
}
