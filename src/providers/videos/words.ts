/** Parts of what makers of videos write and read alike. */
import { objectOf, textOf } from '../../formats/json/lenient-json.ts'
import type { VideoRequest } from '../../formats/videos/request.ts'
import { figureIn } from '../../formats/videos/states.ts'
import type { Json } from '../../pure/json.ts'

/** A reason of failure, as a text or in an object. */
export function reasonIn(error: unknown): string {
  const { message, code } = objectOf(error)
  return textOf(error) || textOf(message) || textOf(code)
}

/** Without fields that have no value. */
export const filled = (body: Json): Json =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))

/** The maker's own fields, below those that are priced. */
export const withOwnFields = ({ metadata }: Pick<VideoRequest, 'metadata'>, body: Json): Json => ({
  ...metadata,
  ...filled(body),
})

/** Base64 of a data URL, for makers that take no prefix; an address as it is. */
export const withoutPrefix = (picture: string | undefined): string | undefined => picture?.replace(/^data:[^,]*,/i, '')

interface ReportedFigures {
  seconds?: unknown
  tokens?: unknown
  cost_usd?: unknown
  /** Counted beside the units, by the names of prices. */
  extras?: Record<string, unknown>
}

/** @returns an object with a report, where the answer has one of these figures */
export function reportOf(report: ReportedFigures) {
  const [seconds, tokens, cost_usd] = [report.seconds, report.tokens, report.cost_usd].map(figureIn)
  const counts = Object.entries(report.extras ?? {}).map(([name, count]) => [name, figureIn(count)] as const)
  const extras = Object.fromEntries(counts.filter(([, count]) => count)) as Record<string, number>
  return {
    ...(seconds && { seconds }),
    ...(tokens && { tokens }),
    ...(cost_usd !== undefined && { cost_usd }),
    ...(Object.keys(extras).length && { extras }),
  }
}
