/** Bodies of the console's API: an unknown field is refused by its name. */
import { z } from 'zod'

type Fill = (body: Record<string, unknown>) => Record<string, unknown>

/**
 * A strict schema of these fields.
 * @param returned fields of a response, which a client may send back: those that the body has not are ignored
 * @param fill completes the body before it is validated
 */
export const bodyOf = <Shape extends z.ZodRawShape>(
  fields: z.ZodObject<Shape>,
  returned: readonly string[] = [],
  fill: Fill = body => body,
) => {
  const ignored = returned.filter(name => !Object.hasOwn(fields.shape, name))
  return z.preprocess(body => (isObject(body) ? fill(without(body, ignored)) : body), fields.strict())
}

const isObject = (body: unknown): body is Record<string, unknown> =>
  typeof body === 'object' && body !== null && !Array.isArray(body)

const without = (body: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))
