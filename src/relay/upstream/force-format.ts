/** A channel's answers in the shape that its operator has chosen. Most channels have none. */

import type { ReadyChannel } from '../../domain/channels/index.ts'
import type { StreamReader, Told, UpstreamCodec } from '../../formats/format.ts'
import { type Shaper, shaper } from '../../formats/openai-chat/force-format.ts'
import { openAiChat } from '../../formats/openai-chat/index.ts'
import { now } from '../../process/clock.ts'
import type { Spoken } from '../../providers/index.ts'
import type { Json } from '../../pure/json.ts'
import type { Call } from '../call.ts'

/**
 * How a channel is spoken to, for one answer: a shape remembers what came before. It is OpenAI's words that are shaped:
 * the upstream's, or those in which its answer is retold.
 * @param codec the channel's own
 */
export function shaped(spoken: Spoken, codec: UpstreamCodec, { setting }: ReadyChannel, call: Call): Spoken {
  const isTold = codec === openAiChat
  const isRetold = !isTold && call.door.codec === openAiChat
  if (!(setting.force_format || setting.thinking_to_content) || !(isTold || isRetold)) return spoken
  const shape = shaper(setting, { id: `chatcmpl-${call.request_id}`, created: now(), model: call.ask.model })
  return isTold ? told(spoken, shape) : { ...spoken, codec: retold(spoken.codec, shape) }
}

function told(spoken: Spoken, { answer, event }: Shaper): Spoken {
  const { fitAnswer = same, fitEvent = same } = spoken
  return {
    ...spoken,
    fitAnswer: (body, asked) => answer(fitAnswer(body, asked)),
    fitEvent: body => {
      const fitted = fitEvent(body)
      return fitted && event(fitted)
    },
  }
}

const same = (body: Json) => body

const retold = (codec: UpstreamCodec, shape: Shaper): UpstreamCodec => ({
  ...codec,
  readAnswer(body) {
    const told = codec.readAnswer(body)
    return told?.retold && (Object.create(told, { retold: { value: shape.answer(told.retold) } }) as Told)
  },
  readStream(options) {
    const reader = codec.readStream(options)
    const { retell, end } = reader
    return Object.assign(reader, {
      retell: () => reshaped(retell?.call(reader) ?? '', shape),
      end: (...last) => reshaped(end.apply(reader, last), shape),
    } satisfies Partial<StreamReader>)
  },
})

/** Events as they are written here: each a line of JSON, and the last word. */
const reshaped = (events: string, { event }: Shaper): string =>
  events.replace(/^data: (\{.*\})$/gm, (_, body) => `data: ${JSON.stringify(event(JSON.parse(body)))}`)
