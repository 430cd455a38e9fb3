/** Bodies of the API: what is misspelled is refused by its name instead of being left out without a word. */
import { z } from 'zod'

type Fill = (body: Record<string, unknown>) => Record<string, unknown>

/**
 * These fields and no others. A client may send back what it was shown: what only the server writes is passed over.
 * @param fill completes what was sent before it is looked at
 */
export const bodyOf = <Shape extends z.ZodRawShape>(
  fields: z.ZodObject<Shape>,
  shown: readonly string[] = [],
  fill: Fill = body => body,
) => z.preprocess(body => (isObject(body) ? fill(without(body, shown)) : body), fields.strict())

const isObject = (body: unknown): body is Record<string, unknown> =>
  typeof body === 'object' && body !== null && !Array.isArray(body)

const without = (body: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))
