/** Counts the tokens of a response's input: by the maker where it serves the model, else by the gateway. Free of charge. */
import { type Candidate, targetsOf } from '../../domain/routing/index.ts'
import { openAiResponses } from '../../formats/openai-responses/index.ts'
import { readBody } from '../../net/upstream-fetch.ts'
import { parsedOrUndefined } from '../../pure/json.ts'
import { idOf } from '../../web/request.ts'
import type { RoutedCall } from '../call.ts'
import { countTokens } from '../counting/count-tokens.ts'
import type { Endpoint, RelayContext } from '../endpoint.ts'
import { headersFor } from '../errors/explain.ts'
import { Fault } from '../errors/fault.ts'
import { inServingGroup } from '../fallbacks.ts'
import { admit, checkModel } from '../request/admit.ts'
import { authenticate } from '../request/authenticate.ts'
import { readRequest } from '../request/read-request.ts'
import { checkSensitiveWords } from '../request/sensitive-words.ts'
import { askHolder, holderBelow } from '../upstream/ask-holder.ts'
import { candidates } from '../upstream/candidates.ts'
import { bodyForHolder, holders } from '../upstream/holders.ts'

/** Limit of a maker's response, which is a number and its name. */
const RESPONSE_MAX_BYTES = 65_536
const RESPONSE_TIMEOUT_MS = 30_000

const endpoint: Endpoint = { operation: 'responses', format: openAiResponses }

/** @throws Refusal or Fault as for the call itself */
export async function countInputTokens(context: RelayContext): Promise<Response> {
  const caller = await authenticate(context)
  // The maker limits these requests as it does calls.
  using _ = await admit(caller, context.request)
  await using read = await readRequest(context, endpoint, caller.user.id)
  checkModel(caller, read)
  await checkSensitiveWords(read, caller)
  const serving = await inServingGroup(read, caller)
  const [call, able] = await holders(await candidates(read, serving), read)
  const input_tokens = (await countedByMaker(call, able)) ?? (await countedHere(call))
  const headers = headersFor(idOf(context.request))
  return Response.json({ object: 'response.input_tokens', input_tokens }, { headers })
}

/** @returns undefined where no upstream counts it. @throws Fault for a request that the maker finds invalid */
async function countedByMaker(call: RoutedCall, able: Candidate[]): Promise<number | undefined> {
  const [target] = targetsOf(able, call)
  const holder = target && holderBelow(target, '/input_tokens', [call.facts.model])
  if (!holder) return undefined
  const abort = new AbortController()
  call.disconnected.addEventListener('abort', () => abort.abort())
  try {
    const { stream: _, background: __, ...body } = bodyForHolder(call)
    const response = await askHolder(holder, { body: { ...body, model: holder.model }, hops: call.hops }, abort)
    const bytes = await readBody(response, abort, { max_bytes: RESPONSE_MAX_BYTES, body_ms: RESPONSE_TIMEOUT_MS })
    const counted = parsedOrUndefined(new TextDecoder().decode(bytes)) as { input_tokens?: unknown } | undefined
    return typeof counted?.input_tokens === 'number' ? counted.input_tokens : undefined
  } catch (error) {
    if (error instanceof Fault && error.status === 400) throw error
    return undefined
  }
}

async function countedHere(call: RoutedCall): Promise<number> {
  const countable = openAiResponses.countablePrompt?.(call.body, call.facts.model)
  const counted = countable && (await countTokens(countable, call.facts.model))
  return counted === undefined ? call.prompt_tokens : counted + call.stored_tokens
}
