/** Redacts the errors in an upstream's realtime events: `error`, and a failed `response.done`. */
import { type RoutedChannel, redacted, redactedCode } from '../../domain/routing/index.ts'
import { isObject } from '../../formats/json/checks.ts'
import { objectOf } from '../../formats/json/lenient-json.ts'
import type { Json } from '../../pure/json.ts'

export const hasError = (event: Json): boolean => isObject(event.error) || failureIn(event) !== undefined

/** The event as text, its errors without keys and addresses. */
export function withoutSecrets(event: Json, channel: RoutedChannel): string {
  const failure = failureIn(event)
  const response = objectOf(event.response)
  const status_details = { ...objectOf(response.status_details), error: failure && redactedFields(failure, channel) }
  return JSON.stringify({
    ...event,
    ...(isObject(event.error) && { error: redactedFields(event.error, channel) }),
    ...(failure && { response: { ...response, status_details } }),
  })
}

function failureIn({ response }: Json): Json | undefined {
  const { error } = objectOf(objectOf(response).status_details)
  return isObject(error) ? error : undefined
}

/** Fields that hold more than a text or a number are left out. */
const redactedFields = (error: Json, channel: RoutedChannel): Json =>
  Object.fromEntries(
    Object.entries(error).flatMap(([name, value]) => {
      if (typeof value === 'object' && value !== null) return []
      if (typeof value !== 'string') return [[name, value]]
      return [[name, name === 'message' ? redacted(value, channel) : redactedCode(value, channel)]]
    }),
  )
