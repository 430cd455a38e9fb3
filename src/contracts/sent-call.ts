/** The receipt of a call that a page has just sent: the path names its request, the query how often it was asked for. */
import { z } from 'zod'

/** PostgreSQL text cannot hold U+0000. */
export const SentCallParams = z.object({
  request_id: z
    .string()
    .max(64)
    .regex(/^[\w-]+$/),
})

export const SentCallQuery = z.object({ tries: z.coerce.number().pipe(z.int().min(0)).catch(0) })
