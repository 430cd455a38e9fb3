/** What the operations of the API document share: introduction, failures, ways to sign in. */
import type { JsonSchema } from './schema.ts'

export const introduction = `Two APIs stand at one address.

**The API of models** (\`/v1\`, \`/v1beta\` and others) speaks the formats of OpenAI, Anthropic and Gemini. Its credential is an API key. Errors have the format of the endpoint. Paths under \`/v1\` are also served under \`/hf/v1\`.

**Errors of models.** \`Retry-After\` (seconds) and \`Retry-After-Ms\` are the time after which a repetition may succeed, \`x-should-retry: false\` means that none does. A prompt that is too long has the code \`context_length_exceeded\`, for clients of Anthropic and Gemini the words of those; in streams of Responses it is an event. An upstream without room is 503, for clients of Anthropic 529.

**The API of the console** (\`/api\`) answers \`{ "success", "message", "data" }\`. A refusal by a rule can come with status 200 and \`success: false\`; \`code\` names it for programs and \`field\` names the wrong field. An unknown field of a body is refused. Its credential is a session cookie or an access token, each together with the header \`Tollgate-User\`, which has the id of the user. Access tokens are issued on the page of the account.

**Units.** Money is quota: whole numbers, of which \`quota_per_unit\` in \`GET /api/status\` are one USD. Times are unix seconds. Whole numbers are between -9007199254740991 and 9007199254740991.

**Pages.** Lists take \`p\` and \`page_size\`, of at most 100 rows. Pages are counted from 1, except where an operation states otherwise.

**Repetition.** Operations with the header \`Idempotency-Key\` can be sent again after a broken connection: the same key returns the first result.

**Limits.** Too many requests are answered with 429 and the header \`Retry-After\`. Bodies of the console have at most 1 MB. A slash at the end of a path makes no difference.`

/** The envelope of a failed request. */
export const refusal: JsonSchema = {
  type: 'object',
  required: ['success', 'message', 'code', 'data'],
  properties: {
    success: { const: false },
    message: { type: 'string', description: 'A sentence in the language of the caller.' },
    code: { type: 'string', description: 'The refusal for programs, as `token.not_found`.' },
    field: { type: 'string', description: 'The field that is wrong.' },
    data: {},
  },
}

const failure = (description: string, headers?: object) => ({
  description,
  ...(headers && { headers }),
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
})

const retryAfter = { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } }

export const responses = {
  Invalid: failure('A field, the query or the body is not valid.'),
  Unauthorized: failure('No valid session or access token, or a missing header `Tollgate-User`.'),
  Forbidden: failure('The user may not do this, or the session must be confirmed first.'),
  NotFound: failure('No such entry.'),
  Conflict: failure('The `Idempotency-Key` was used for another request.'),
  TooManyRequests: failure('Too many requests.', retryAfter),
  Unavailable: failure('The site is stopping, or its database does not answer.', retryAfter),
  ApiError: {
    description: 'An error in the format of the endpoint.',
    headers: {
      ...retryAfter,
      'Retry-After-Ms': { description: 'Milliseconds to wait.', schema: { type: 'integer' } },
      'x-should-retry': { description: 'Absent where a repetition may succeed.', schema: { const: 'false' } },
    },
    content: { 'application/json': { schema: { type: 'object' } } },
  },
}

export const securitySchemes = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-session',
    description: 'The session of a browser; without https the cookie is `session`.',
  },
  userId: { type: 'apiKey', in: 'header', name: 'Tollgate-User', description: 'Id of the signed-in user.' },
  accessToken: { type: 'http', scheme: 'bearer', description: 'Access token of a user, for the API of the console.' },
  apiKey: { type: 'http', scheme: 'bearer', description: 'API key (`sk-…`), as OpenAI’s clients send it.' },
  apiKeyHeader: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'As Anthropic’s clients send it.' },
  googleKeyHeader: {
    type: 'apiKey',
    in: 'header',
    name: 'x-goog-api-key',
    description: 'As Gemini’s clients send it.',
  },
  apiKeyQuery: { type: 'apiKey', in: 'query', name: 'key', description: 'As Gemini’s clients send it.' },
}
