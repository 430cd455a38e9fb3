import type { Json } from '../../pure/json.ts'
import type { ChatResponse } from '../canonical/chat.ts'
import { replay } from '../canonical/replay.ts'
import type { ResponseLabel } from '../format.ts'
import { ResponseWriter } from './write-stream.ts'

/** A stream ends with the whole answer, so the whole is what a stream of it would end with. */
export function writeResponse(answer: ChatResponse, label: ResponseLabel): Json {
  const writer = new ResponseWriter(label)
  for (const event of replay(answer)) writer.write(event)
  return writer.response
}
