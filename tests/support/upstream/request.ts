/** The request that a channel sends for an operation. */
import {
  buildRequest,
  type Operation,
  passedApi,
  pickApi,
  providerOf,
  type UpstreamCall,
  type UpstreamRequest,
} from '../../../src/providers/index.ts'

export interface TypedCall extends UpstreamCall {
  type: number
}

/** @returns undefined when the provider has no API for the operation */
export function requestFor(
  call: TypedCall,
  operation: Operation,
  model: string,
  body: Record<string, unknown>,
): UpstreamRequest | undefined {
  const provider = providerOf(call.type)
  const api = provider && pickApi(provider, { operation, model, config: call, body })
  return api && buildRequest(passedApi(api), call, model, body)
}
