/** Long lists of inputs, for APIs that accept few at a time: sent in parts, whose vectors are joined. */
import type { Json } from '../../pure/json.ts'
import { objectOf, objectsOf } from '../json/lenient-json.ts'

/** Divides a request, and the own fields of Google's clients by text with it; token lists and single texts are one input. */
export function inParts(body: Json, inputs_max: number): Json[] {
  const { input, wishes } = body
  if (!Array.isArray(input) || input.length <= inputs_max || typeof input[0] === 'number') return [body]
  const parts: Json[] = []
  for (let from = 0; from < input.length; from += inputs_max) {
    const part = (list: unknown[]) => list.slice(from, from + inputs_max)
    parts.push({ ...body, input: part(input), ...(Array.isArray(wishes) && { wishes: part(wishes) }) })
  }
  return parts
}

/**
 * Joins the responses of the parts in their order: the vectors are numbered anew, the usage is summed. A part without
 * usage leaves the whole without, so that all inputs are counted.
 */
export function joinParts(responses: Json[]): Json {
  const { usage: _, ...first } = responses[0]!
  const data = responses.flatMap(response => objectsOf(response.data)).map((item, index) => ({ ...item, index }))
  const reports = responses.map(({ usage }) => objectOf(usage))
  const names = [...new Set(reports.flatMap(Object.keys))]
  const sum = (name: string) => reports.reduce((total, report) => total + (Number(report[name]) || 0), 0)
  const isReported = responses.every(({ usage }) => usage !== undefined)
  const usage = isReported ? Object.fromEntries(names.map(name => [name, sum(name)])) : undefined
  return { ...first, data, ...(usage && { usage }) }
}
