/** Ends a chunked request whose body is not read to its end. */
import { nextTurn } from '../process/next-turn.ts'

/**
 * Bun answers a broken chunk itself, with `400` and the end of the connection, also behind a response: the response waits
 * until the chunks are parsed that have come with the head, and the connection ends with it, so that no client takes a
 * second status line for the answer to another request.
 */
export async function endUnread(request: Request, response: Response): Promise<Response> {
  if (request.bodyUsed) return response
  await nextTurn()
  response.headers.set('connection', 'close')
  return response
}

/** The response to a request whose body, if it has one, is not read to its end. */
export const ended = (request: Request, response: Response): Response | Promise<Response> =>
  request.headers.has('transfer-encoding') ? endUnread(request, response) : response
