/**
 * What makers answer for an id that they do not know, and for a request that they cannot keep as a thread.
 * https://platform.openai.com/docs/guides/conversation-state,
 * https://platform.claude.com/docs/en/api/errors and
 * https://ai.google.dev/gemini-api/docs/troubleshooting (read 2026-11)
 */
import type { ApiError } from './canonical/chat.ts'
import type { StoredKind, StoredReference } from './stored-places.ts'

const invalid = { status: 404, type: 'invalid_request_error', code: '', param: null }

/** The clients of the maker act on it: they send the whole conversation. @param format of the client */
export function unknownStored(reference: StoredReference, format: string): ApiError {
  const { kind, id, param } = reference
  if (kind === 'thread') return threadError('thread_not_found', `No thread is held for the message ${id}.`)
  if (kind === 'cached_content') return denied('CachedContent not found (or permission denied)')
  if (format === 'anthropic') return { ...invalid, message: `${nouns[kind]} not found: ${id}` }
  if (format === 'gemini')
    return denied(`You do not have permission to access the ${nouns[kind]} ${id} or it may not exist.`)
  if (kind === 'response' && param === 'previous_response_id')
    return {
      ...{ ...invalid, status: 400, code: 'previous_response_not_found', param },
      message: `Previous response with id '${id}' not found.`,
    }
  if (kind === 'item') return { ...invalid, param, message: `Item with id '${id}' not found.` }
  if (kind === 'file') return { ...invalid, param: 'id', message: `No such File object: ${id}` }
  if (kind === 'vector_store') return { ...invalid, message: `Vector store with id ['${id}'] not found.` }
  return { ...invalid, message: `${nouns[kind]} with id '${id}' not found.` }
}

const nouns: Record<Exclude<StoredKind, 'thread' | 'cached_content'>, string> = {
  response: 'Response',
  item: 'Item',
  conversation: 'Conversation',
  prompt: 'Prompt',
  file: 'File',
  container: 'Container',
  vector_store: 'FileSearchStore',
  skill: 'Skill',
  audio: 'Audio',
  voice: 'Voice',
  tunnel: 'Tunnel',
}

const denied = (message: string): ApiError => ({
  ...{ status: 403, type: 'PERMISSION_DENIED', code: 'permission_denied', param: null },
  message,
})

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
