/** The candidates of a call: what its channels can serve, before circuits decide. */
import type { RoutedChannel } from '../routed-channel.ts'
import type { Candidate } from '../target.ts'
import { type ApiQuery, apiFor } from './choose-api.ts'

/** Channels that have an API for the call. */
export function withApi(channels: readonly RoutedChannel[], call: ApiQuery): Candidate[] {
  const able: Candidate[] = []
  for (const channel of channels) {
    const api = apiFor(channel, call)
    if (api) able.push({ channel, api })
  }
  return able
}

/** Candidates whose limit the prompt does not exceed; all of them where it exceeds every limit: it is only estimated, and the upstream decides. */
export function withinInputLimits(candidates: Candidate[], prompt_tokens: number): Candidate[] {
  const large_enough = candidates.filter(({ channel }) => takesPrompt(channel, prompt_tokens))
  return large_enough.length ? large_enough : candidates
}

const takesPrompt = ({ max_input_tokens }: RoutedChannel, tokens: number) =>
  !max_input_tokens || tokens <= max_input_tokens
