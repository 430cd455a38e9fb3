/** The most that the upstreams of a call can produce. */
import { OUTPUT_STEP } from '../../contracts/relay.ts'
import { option } from '../../domain/options/index.ts'
import { type Candidate, upstreamModel } from '../../domain/routing/index.ts'
import { outputMaxOf } from '../../models/output-max.ts'
import type { ReadCall } from '../call.ts'

/**
 * Output tokens of one choice: as the caller names them, else the most that a model of the candidates can produce. A
 * limit that an upstream is not sent limits nothing.
 */
export function outputMaxFor({ facts, endpoint }: ReadCall, candidates: readonly Candidate[]): number {
  const { max_output, model } = facts
  if (max_output !== undefined && (!isText(endpoint) || candidates.every(carriesLimit))) return max_output
  if (endpoint.operation === 'realtime') return OUTPUT_STEP // Every turn extends the reservation.
  return candidates.reduce((most, candidate) => Math.max(most, modelOutput(candidate, model)), max_output ?? 0)
}

function modelOutput({ channel, api }: Candidate, requested: string): number {
  const model = upstreamModel(channel, requested)
  const max = outputMaxOf(model) ?? outputMaxOf(requested) ?? option('DefaultMaxOutput')
  return api.format.name === 'anthropic' ? Math.max(max, defaultOutput(model)) : max
}

/** The operator's limit for calls without one, where it may be above the model's own. */
function defaultOutput(model: string): number {
  const limits = option('claude.default_max_tokens')
  return limits[model] ?? (outputMaxOf(model) === undefined ? limits.default : undefined) ?? 0
}

/** The candidates whose upstreams are sent the limit of the output. */
export const carryingLimits = (candidates: readonly Candidate[], { endpoint }: ReadCall): readonly Candidate[] =>
  isText(endpoint) ? candidates.filter(carriesLimit) : []

export const carriesLimit = ({ api }: Pick<Candidate, 'api'>): boolean => api.format.limitOutput !== undefined

/** Only text can be cut short: other operations have no limit that an upstream takes. */
const isText = ({ operation }: ReadCall['endpoint']) => ['chat', 'responses', 'completions'].includes(operation)
