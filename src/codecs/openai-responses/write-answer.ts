import type { Answer } from '../canonical.ts'
import type { Label } from '../dialect.ts'
import type { Json } from '../json.ts'
import { replay } from '../replay.ts'
import { ResponseWriter } from './write-stream.ts'

/** A stream ends with the whole answer, so the whole is what a stream of it would end with. */
export function writeAnswer(answer: Answer, label: Label): Json {
  const writer = new ResponseWriter(label)
  for (const event of replay(answer)) writer.write(event)
  return writer.response
}
