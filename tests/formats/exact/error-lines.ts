/** Errors at every status: whether the status, the code or the words decide, and what each client gets. Places of stored ids. */

import { anthropicPlaces } from '../../../src/formats/anthropic/stored-places.ts'
import type { ApiError, FormatName } from '../../../src/formats/canonical/chat.ts'
import { geminiPlaces } from '../../../src/formats/gemini/stored-places.ts'
import { chatFormats, formats } from '../../../src/formats/index.ts'
import { chatPlaces } from '../../../src/formats/openai-chat/stored-places.ts'
import { imagePlaces } from '../../../src/formats/openai-images/request.ts'
import { realtimePlaces } from '../../../src/formats/openai-realtime/index.ts'
import { openAiPlaces } from '../../../src/formats/openai-responses/stored-places.ts'
import { speechPlaces } from '../../../src/formats/openai-speech/index.ts'
import type { StoredPlace } from '../../../src/formats/stored-places.ts'
import { allBodies, upstreams } from './lines.ts'
import { shortened } from './variations.ts'

/** 0 stands inside a response of status 200. */
const statuses = [0, 400, 401, 402, 403, 404, 408, 409, 413, 422, 424, 429, 500, 502, 503, 504, 529, 599]

/** Bodies that any upstream, or what stands before it, may send. */
const common: unknown[] = [
  {},
  { message: 'M' },
  { error: 'M' },
  { error: { message: 'M' } },
  { error: { message: 'M', type: 'T', code: 'C' } },
  { error: { message: 'M', type: 'rate_limit_error', code: 429 } },
  { detail: 'M' },
  'M',
  null,
]

const inShort = (error: ApiError | undefined, status: number) =>
  error
    ? [error.status === status ? 'same' : error.status, error.type, error.code, error.param, error.message].join(' ')
    : 'none'

/** A line for each body and what is made of it, with the statuses at which it is that. */
const readLines = (): string[] =>
  upstreams.flatMap(format => {
    const own = allBodies[format.name as FormatName].errors.map(([, body]) => body)
    const bodies = new Map([...common, ...own].map(body => [JSON.stringify(body), body]))
    return [...bodies].flatMap(([text, body]) => {
      const byError = Map.groupBy(statuses, status => inShort(format.readError(body, status), status))
      return [...byError].map(([error, at]) => `${format.name} ${shortened(text, 120)} at ${at}: ${error}`)
    })
  })

const errors: Omit<ApiError, 'status'>[] = [
  { message: 'M', type: 'T', code: 'C', param: 'P' },
  { message: 'M', type: 'invalid_request_error', code: '', param: null },
]

/** Each client's own error of each status. */
const writtenLines = (): string[] =>
  formats.flatMap(name =>
    errors.flatMap(error =>
      statuses.map(
        status =>
          `${name} ${status} ${error.type}: ${JSON.stringify(chatFormats[name].writeError({ ...error, status }))}`,
      ),
    ),
  )

const places: Record<string, readonly StoredPlace[]> = {
  ...{ 'openai-responses': openAiPlaces, anthropic: anthropicPlaces, gemini: geminiPlaces, 'openai-chat': chatPlaces },
  ...{ images: imagePlaces, speech: speechPlaces, realtime: realtimePlaces },
}

/** Tests that take their cases from these tables do not miss a row that is gone. */
const placeLines = (): string[] =>
  Object.entries(places).flatMap(([name, list]) => list.map(({ kind, at }) => `${name} ${at}: ${kind}`))

export const errorLists: Record<string, () => string[]> = {
  'errors read': readLines,
  'errors written': writtenLines,
  'stored places': placeLines,
}
