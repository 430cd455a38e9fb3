/** A channel's answers in the shape that its operator has chosen. */
import type { Json } from '../codecs/codec.ts'
import { openAiChat } from '../codecs/openai-chat/index.ts'
import { shaper } from '../codecs/openai-chat/shape.ts'
import type { ReadyChannel } from '../console/channels/service.ts'
import { now } from '../kit/clock.ts'
import type { Spoken } from '../providers/index.ts'
import type { Call } from './call.ts'

/** What is spoken, for one answer: a shape remembers what came before. Most channels have none. */
export function shaped(spoken: Spoken, { setting }: ReadyChannel, call: Call): Spoken {
  if (!(setting.force_format || setting.thinking_to_content) || spoken.codec !== openAiChat) return spoken
  const known = { id: `chatcmpl-${call.request_id}`, created: now(), model: call.ask.model }
  const { answer, event } = shaper(setting, known)
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
