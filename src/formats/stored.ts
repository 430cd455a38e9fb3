/**
 * What makers answer for an id that they do not know, and for a request that they cannot keep as a thread.
 * https://platform.openai.com/docs/guides/conversation-state and
 * https://platform.claude.com/docs/en/api/errors (read 2026-11)
 */
import type { ApiError } from './canonical/chat.ts'
import type { StoredReference } from './format.ts'

const invalid = { status: 404, type: 'invalid_request_error', code: '', param: null }

/** The clients of the maker act on it: they send the whole conversation. */
export function unknownStored({ kind, id, param }: StoredReference): ApiError {
  switch (kind) {
    case 'response':
      return {
        ...{ ...invalid, status: 400, code: 'previous_response_not_found', param },
        message: `Previous response with id '${id}' not found.`,
      }
    case 'conversation':
      return { ...invalid, message: `Conversation with id '${id}' not found.` }
    case 'prompt':
      return { ...invalid, message: `Prompt with id '${id}' not found.` }
    case 'thread':
      return threadError('thread_not_found', `No thread is held for the message ${id}.`)
    case 'cached_content':
      return {
        ...{ status: 403, type: 'PERMISSION_DENIED', code: 'permission_denied', param: null },
        message: 'CachedContent not found (or permission denied)',
      }
  }
}

/** @returns what OpenAI answers for a response that is named in a path */
export const unknownResponse = (id: string): ApiError => ({
  ...invalid,
  message: `Response with id '${id}' not found.`,
})

/** The SDK's tool runner goes on without a thread. */
export const unsupportedThread = (): ApiError => {
  const error = threadError('thread_unsupported_request', 'This model cannot hold the conversation as a thread.')
  return { ...error, details: { ...error.details, unsupported: ['thread'] } }
}

/** SDKs go by the code in the details alone. */
const threadError = (error_code: string, message: string): ApiError => ({
  ...{ status: 400, type: 'invalid_request_error', code: error_code, param: 'thread', message },
  details: { error_code },
})
