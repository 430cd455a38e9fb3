/** A channel's answers in the shape that its operator has chosen. Most channels have none. */

import type { RoutedChannel } from '../../domain/channels/index.ts'
import type { ResponseFacts, StreamReader, UpstreamFormat } from '../../formats/format.ts'
import { type FormatForcer, formatForcer } from '../../formats/openai-chat/force-format.ts'
import { openAiChat } from '../../formats/openai-chat/index.ts'
import { now } from '../../process/clock.ts'
import type { UpstreamApi } from '../../providers/index.ts'
import type { Json } from '../../pure/json.ts'
import type { Call } from '../call.ts'

/**
 * How a channel is spoken to, for one answer: a shape remembers what came before. It is OpenAI's words that are shaped:
 * the upstream's, or those in which its answer is retold.
 * @param codec the channel's own
 */
export function shaped(
  spoken: UpstreamApi,
  codec: UpstreamFormat,
  { setting }: RoutedChannel,
  call: Call,
): UpstreamApi {
  const isTold = codec === openAiChat
  const isRetold = !isTold && call.endpoint.format === openAiChat
  if (!(setting.force_format || setting.thinking_to_content) || !(isTold || isRetold)) return spoken
  const shape = formatForcer(setting, { id: `chatcmpl-${call.request_id}`, created: now(), model: call.facts.model })
  return isTold ? told(spoken, shape) : { ...spoken, format: retold(spoken.format, shape) }
}

function told(spoken: UpstreamApi, { response, event }: FormatForcer): UpstreamApi {
  const { rewriteResponse = same, rewriteEvent = same } = spoken
  return {
    ...spoken,
    rewriteResponse: (body, asked) => response(rewriteResponse(body, asked)),
    rewriteEvent: body => {
      const fitted = rewriteEvent(body)
      return fitted && event(fitted)
    },
  }
}

const same = (body: Json) => body

const retold = (codec: UpstreamFormat, shape: FormatForcer): UpstreamFormat => ({
  ...codec,
  responseFacts(body) {
    const told = codec.responseFacts(body)
    return (
      told?.rewritten &&
      (Object.create(told, { rewritten: { value: shape.response(told.rewritten) } }) as ResponseFacts)
    )
  },
  streamReader(options) {
    const reader = codec.streamReader(options)
    const { takeRewritten, end } = reader
    return Object.assign(reader, {
      takeRewritten: () => reshaped(takeRewritten?.call(reader) ?? '', shape),
      end: (...last) => reshaped(end.apply(reader, last), shape),
    } satisfies Partial<StreamReader>)
  },
})

/** Events as they are written here: each a line of JSON, and the last word. */
const reshaped = (events: string, { event }: FormatForcer): string =>
  events.replace(/^data: (\{.*\})$/gm, (_, body) => `data: ${JSON.stringify(event(JSON.parse(body)))}`)
