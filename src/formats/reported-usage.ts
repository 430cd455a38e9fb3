/** A usage as an upstream reports it, and what it leaves to count. */
import { type Usage, usageOf } from '../billing/usage.ts'
import type { Json } from '../pure/json.ts'

/** What a format meters of a response. */
export interface MeteredFacts {
  readonly usage_report: Json | undefined
  /** Units, or estimated tokens. */
  readonly output_estimate: number
}

/** What a usage is billed by, beside the response. */
export interface BillingBasis {
  /** The client's request, for formats whose price depends on it. */
  readonly request?: Json
  /** The price counts calls, so that unreported tokens need no estimate. */
  readonly by_call?: boolean
}

export interface MeteredUsage {
  usage: Usage
  /** Who counted. */
  by: 'upstream' | 'gateway'
  /** Figures of the report that cannot be true. */
  doubts: string[]
}

export type UsageSide = 'input' | 'output'

export interface ReportedUsage extends MeteredUsage {
  /** Sides that the gateway counts. Of an input that is missing, `usage` has the least that it can be. */
  missing: readonly UsageSide[]
}

/** A response of texts without a count that can be true. */
export const unreported = (doubts: string[]): ReportedUsage => ({
  usage: usageOf(),
  by: 'gateway',
  doubts,
  missing: ['input', 'output'],
})

const none: readonly UsageSide[] = []

/** The sides without a count above 0. */
export function missingIn(input: number | undefined, output: number | undefined): readonly UsageSide[] {
  if (input && output) return none
  return input ? ['output'] : output ? ['input'] : ['input', 'output']
}
