import type { Failure } from '../canonical.ts'
import type { Json, UpstreamError } from '../codec.ts'

export const writeError = ({ message, type, param, code }: Failure): Json => ({
  error: { message, type, param, code: code || null },
})

export const writeErrorFrame = (failure: Failure): string => `data: ${JSON.stringify(writeError(failure))}\n\n`

/** The places where those who speak this format put what went wrong, the usual one first. */
export function readError(body: unknown): UpstreamError | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const { error, message, msg, error_msg, detail, choices } = body as Json
  if (typeof error === 'object' && error !== null) return errorFrom(error as Json)
  const said = [error, message, msg, error_msg, detail].find(text => typeof text === 'string' && text !== '')
  if (said === undefined || (Array.isArray(choices) && !error)) return undefined
  return errorFrom({ ...(body as Json), message: said })
}

const errorFrom = ({ message, type, code, param }: Json): UpstreamError => ({
  message: typeof message === 'string' ? message : '',
  type: typeof type === 'string' ? type : '',
  code: typeof code === 'string' || typeof code === 'number' ? String(code) : '',
  param: typeof param === 'string' ? param : null,
})
