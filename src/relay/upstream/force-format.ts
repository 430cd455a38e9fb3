/** Applies the channel settings `force_format` and `thinking_to_content` to OpenAI chat responses. */

import type { RoutedChannel } from '../../domain/routing/index.ts'
import type {
  PassedUpstream,
  ResponseFacts,
  StreamGathering,
  StreamReader,
  UpstreamFormat,
} from '../../formats/format.ts'
import { type FormatForcer, formatForcer } from '../../formats/openai-chat/force-format.ts'
import { openAiChat } from '../../formats/openai-chat/index.ts'
import { now } from '../../process/clock.ts'
import type { PassedApi } from '../../providers/index.ts'
import type { Json } from '../../pure/json.ts'
import type { Call } from '../call.ts'

/**
 * @param upstream the channel's own format; `api` may translate from it
 * @returns an API for one response, since a forcer keeps the state of a stream
 */
export function forceFormat(
  api: PassedApi,
  upstream: UpstreamFormat,
  { setting }: RoutedChannel,
  call: Call,
): PassedApi {
  if (!(setting.force_format || setting.thinking_to_content)) return api
  const isUpstreams = upstream === openAiChat
  if (!isUpstreams && call.endpoint.format !== openAiChat) return api
  const forcer = formatForcer(setting, { id: `chatcmpl-${call.request_id}`, created: now(), model: call.facts.model })
  return isUpstreams ? forceUpstream(api, forcer) : { ...api, format: forceTranslated(api.format, forcer) }
}

function forceUpstream(api: PassedApi, { response, event }: FormatForcer): PassedApi {
  const { rewriteResponse = same, rewriteEvent = same } = api
  return {
    ...api,
    rewriteResponse: (body, request) => response(rewriteResponse(body, request)),
    rewriteEvent: body => {
      const rewritten = rewriteEvent(body)
      return rewritten && event(rewritten)
    },
  }
}

const same = (body: Json) => body

const forceTranslated = (format: PassedUpstream, forcer: FormatForcer): PassedUpstream => ({
  ...format,
  responseFacts(body) {
    const facts = format.responseFacts(body)
    return (
      facts?.rewritten &&
      (Object.create(facts, { rewritten: { value: forcer.response(facts.rewritten) } }) as ResponseFacts)
    )
  },
  gathering: format.gathering && (() => forceGathering(format.gathering!(), forcer)),
  streamReader(options) {
    const reader = format.streamReader(options)
    const { takeRewritten, end } = reader
    return Object.assign(reader, {
      takeRewritten: () => forceEvents(takeRewritten?.call(reader) ?? '', forcer),
      end: (...parameters) => forceEvents(end.apply(reader, parameters), forcer),
    } satisfies Partial<StreamReader>)
  },
})

function forceGathering(gathering: StreamGathering, forcer: FormatForcer): StreamGathering {
  const read = gathering.facts.bind(gathering)
  return Object.assign(gathering, {
    facts() {
      const facts = read()
      return facts?.rewritten && Object.create(facts, { rewritten: { value: forcer.response(facts.rewritten) } })
    },
  })
}

/** @param events written here: one line of JSON each, and [DONE] */
const forceEvents = (events: string, { event }: FormatForcer): string =>
  events.replace(/^data: (\{.*\})$/gm, (_, body) => `data: ${JSON.stringify(event(JSON.parse(body)))}`)
