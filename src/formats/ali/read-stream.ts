/**
 * Reads the events of a streamed generation as StreamEvents. With `incremental_output` each event holds what is new.
 * https://help.aliyun.com/zh/model-studio/stream (read 2026-11)
 */
import { parsedOrUndefined } from '../../pure/json.ts'
import { unreadable } from '../canonical/api-error.ts'
import type { StreamEvent } from '../canonical/chat.ts'
import type { EventReader } from '../format.ts'
import { isObject } from '../json/checks.ts'
import { readStream as readOpenAiStream } from '../openai-chat/read-stream.ts'
import { readError } from './api-error.ts'
import { asOpenAi } from './as-openai.ts'

export function readStream(): EventReader {
  const chunks = readOpenAiStream()
  return {
    read(data): StreamEvent[] {
      const event = parsedOrUndefined(data)
      const chunk = isObject(event) ? asOpenAi(event, 'delta') : undefined
      if (chunk) return chunks.read(JSON.stringify(chunk))
      return [{ kind: 'error', failure: readError(event) ?? unreadable }]
    },
    /** There is no end marker: the stream is complete when every choice has a finish reason. */
    end: () => chunks.end(),
  }
}
