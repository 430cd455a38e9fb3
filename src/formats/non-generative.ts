/** Formats of operations that generate nothing: embeddings, moderations, rerank. */

import type { Json } from '../pure/json.ts'
import { usageOf } from './canonical/chat.ts'
import type {
  BillingBasis,
  ClientFormat,
  Countable,
  MeteredFacts,
  PassedUpstream,
  ReportedUsage,
  ResponseFacts,
} from './format.ts'
import { type Flaw, firstOf, isObject, modelFlaw, modelIn } from './json/checks.ts'
import { plausible } from './json/reported-counts.ts'
import { readError, writeErrorFrame } from './openai-chat/api-error.ts'

interface OperationDeclaration {
  name: string
  /** The model of a request that names none. */
  implied_model?: string
  flaw(body: Json): Flaw | undefined
  promptTokens(body: Json): number
  promptParts?(body: Json): Countable
  countablePrompt(body: Json): Countable
  promptText(body: Json): string
  /** @returns the list of results in a response */
  results(response: Json): unknown
  /** @returns the usage in a response; by default its `usage` */
  report?(response: Json): Json | undefined
}

export const nonGenerative = ({ implied_model, flaw, results, report = usageIn, ...prompt }: OperationDeclaration) =>
  ({
    ...prompt,
    readFacts: body =>
      firstOf(modelFlaw(body, implied_model), flaw(body)) ?? {
        model: modelIn(body, implied_model),
        stream: false,
        max_output: 0,
        choices: 1,
        wants_usage: false,
      },
    forward: (body, { model }) => ({ ...body, model }),
    responseFacts: body => responseFacts(body, results, report),
    streamReader() {
      throw new Error('this format has no streams')
    },
    meter,
    readError,
    writeErrorFrame,
  }) satisfies ClientFormat & PassedUpstream

function responseFacts(
  body: unknown,
  results: OperationDeclaration['results'],
  report: (response: Json) => Json | undefined,
) {
  const found = results((body ?? {}) as Json)
  if (!Array.isArray(found)) return undefined
  return {
    usage_report: report(body as Json),
    output_estimate: found.length,
    text: '',
    model: modelOf(body as Json),
  } satisfies ResponseFacts
}

const modelOf = ({ model }: Json) => (typeof model === 'string' && model ? model : undefined)

const usageIn = ({ usage }: Json) => (isObject(usage) ? usage : undefined)

/** Providers report one count, both, or a `meta` of their own. Without a report and without results a call is free. */
function meter(
  { usage_report: report, output_estimate: results }: MeteredFacts,
  { by_call }: BillingBasis,
): ReportedUsage {
  const doubts: string[] = []
  const reported = plausible(report?.prompt_tokens, 'prompt_tokens', doubts)
  const input = reported || plausible(report?.total_tokens, 'total_tokens', doubts)
  const calls = plausible(report?.search_units, 'search_units', doubts) || undefined
  if (input) return { usage: usageOf({ input, calls }), by: 'upstream', doubts, missing: [] }
  if (!results) return { usage: usageOf(), by: 'gateway', doubts, missing: [] }
  if (calls && by_call) return { usage: usageOf({ calls }), by: 'upstream', doubts, missing: [] }
  return { usage: usageOf({ calls }), by: 'gateway', doubts, missing: ['input'] }
}
