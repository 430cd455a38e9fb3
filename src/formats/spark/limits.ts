/** What Spark over a WebSocket cannot carry. https://www.xfyun.cn/doc/spark/Web.html (read 2026-11) */
import type { FormatLimits } from '../format.ts'
import { cut, noForeignThought, systemFirst, unstored, userFirst } from '../translate/losses.ts'

export const limits: FormatLimits = {
  stop: () => [],
  hosted: () => ['web_search'],
  tool_name: { max: 64, refused: /[^\w-]/g },
  losses: {
    dropped: {
      seed: 'There is no such field.',
      penalties: 'There are no such fields.',
      logit_bias: 'There is no such field.',
      logprobs: 'There is no such field.',
      modalities: 'Responses are text.',
      verbosity: 'There is no such field.',
      names: 'Messages have no names.',
    },
    refused: {
      functions: 'Functions exist over HTTP only: channels send calls with tools there.',
      image: 'The chat models accept texts only.',
      audio: 'There is no audio input.',
      video: 'There is no video input.',
      file: 'Documents of plain text are sent as text; there is no field for others.',
      choices: 'The API returns one choice per request.',
      stored_conversation: unstored,
    },
    changed: {
      system: `${systemFirst} For Spark 2 and 3 they become a user message with the answer \`Okay\`.`,
      messages: userFirst,
      temperature: 'Above 0 and at most 1. There is no `top_p`.',
      top_k: 'From 1 to 6.',
      json: 'JSON, with or without a schema, is requested in the system message.',
      reasoning: 'X1 always thinks and the other models do not: there is no such field.',
      thoughts: noForeignThought,
      tool_rounds: 'Calls and results of earlier rounds are sent as text if the request has no tools.',
      hosted_tools: 'Web search is the only tool of the provider; sites, location and context size are not sent.',
      stop: `The API has no stop sequences. ${cut}`,
      user: 'A name of more than 32 characters is replaced by its digest.',
      finish: 'The API names no finish reason: it is `stop`, also where the limit was reached.',
    },
    omitted: {
      logprobs: 'Responses have none.',
      image: 'Responses have no images.',
      audio: 'Responses have no audio.',
    },
  },
}

const { functions: _, ...refused } = limits.losses.refused
const { penalties: __, ...dropped } = limits.losses.dropped

/** Over HTTP there are functions and penalties. */
export const httpLimits: FormatLimits = { ...limits, losses: { ...limits.losses, refused, dropped } }
