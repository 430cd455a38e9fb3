/**
 * The details of Google's errors by which clients tell the limit of a minute from that of a day, and when it ends.
 * https://google.aip.dev/193 https://ai.google.dev/gemini-api/docs/rate-limits (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import type { ApiError } from '../canonical/chat.ts'
import { objectOf, objectsOf, textOf } from '../json/lenient-json.ts'

const TYPE = 'type.googleapis.com/google.rpc.'
const MS_PER_SECOND = 1000

type Limit = Pick<ApiError, 'quota_details' | 'retry_after_ms'>

/** Projects, accounts, links and the model behind a mapping stay out: only names of quotas and reasons pass. */
export function readDetails(details: Json[]): Limit {
  const of = (name: string) => details.filter(detail => detail['@type'] === TYPE + name)
  const kept = [...of('ErrorInfo').map(errorInfo), ...of('QuotaFailure').map(quotaFailure)]
  const delay = of('RetryInfo').map(({ retryDelay }) => durationOf(textOf(retryDelay)))[0]
  return { ...(kept.length && { quota_details: kept }), ...(delay && { retry_after_ms: delay }) }
}

/** @returns undefined for an error without details */
export function writeDetails({ quota_details = [], retry_after_ms }: Limit): Json[] | undefined {
  const seconds = (retry_after_ms ?? 0) / MS_PER_SECOND
  const retryInfo = seconds ? [{ '@type': `${TYPE}RetryInfo`, retryDelay: `${seconds}s` }] : []
  return quota_details.length || retryInfo.length ? [...quota_details, ...retryInfo] : undefined
}

const errorInfo = ({ reason, domain, metadata }: Json): Json => {
  const quota_limit = nameIn(objectOf(metadata).quota_limit)
  return {
    '@type': `${TYPE}ErrorInfo`,
    reason: nameIn(reason),
    domain: nameIn(domain),
    metadata: quota_limit ? { quota_limit } : {},
  }
}

const quotaFailure = ({ violations }: Json): Json => ({
  '@type': `${TYPE}QuotaFailure`,
  violations: objectsOf(violations).map(({ quotaId }) => ({ quotaId: nameIn(quotaId) })),
})

/** A name without a path, in which projects stand. */
const nameIn = (value: unknown): string => (/^[\w.-]{1,100}$/.test(textOf(value)) ? textOf(value) : '')

/** `34.074824224s` */
const durationOf = (text: string): number | undefined =>
  /^\d+(?:\.\d+)?s$/.test(text) ? Math.ceil(Number.parseFloat(text) * MS_PER_SECOND) : undefined
