/** Tools that providers run themselves, as requests of other formats may ask for them. */
import type { HostedOffer, Tool } from '../../formats/canonical/chat.ts'
import { isChatUpstream, type UpstreamFormat } from '../../formats/format.ts'
import type { UpstreamApi } from './provider.ts'

const none: readonly HostedOffer[] = []

/** @returns the tools of a format's own provider */
export const hostedBy = (format: UpstreamFormat, model: string, tools: readonly Tool[] = []): readonly HostedOffer[] =>
  isChatUpstream(format) ? (format.limits.hosted?.(model, tools) ?? none) : none

/**
 * @param tools of the request, beside which some makers run fewer of their own
 * @returns the tools that one API runs for a model
 */
export const hostedTools = (api: UpstreamApi, model: string, tools?: readonly Tool[]): readonly HostedOffer[] =>
  api.hosted?.(model) ?? hostedBy(api.format, model, tools)
