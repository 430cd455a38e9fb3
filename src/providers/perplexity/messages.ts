/**
 * Messages as Perplexity accepts them: instructions first, then user and assistant alternate, the user first and last.
 * https://docs.perplexity.ai/api-reference/chat-completions-post (read 2026-11)
 */
import { isObject } from '../../formats/json/checks.ts'
import { objectsOf, textOf } from '../../formats/json/lenient-json.ts'
import type { Json } from '../../pure/json.ts'
import { each, without } from '../kit/json-edits.ts'

const [FIRST, LAST] = ['...', 'Continue.']

export function withAlternatingRoles(body: Json): Json {
  if (!Array.isArray(body.messages)) return body
  const messages = objectsOf(body.messages).map(message => each(without(message, 'name'), 'content', withFileUrl))
  const [system] = joined(messages.filter(({ role }) => role === 'system'))
  const talk = joined(messages.filter(({ role }) => role !== 'system').filter(hasContent))
  if (talk[0]?.role !== 'user') talk.unshift({ role: 'user', content: FIRST })
  if (talk.at(-1)!.role === 'assistant') talk.push({ role: 'user', content: LAST })
  return { ...body, messages: system ? [system, ...talk] : talk }
}

/** An assistant message without content is refused. */
const hasContent = ({ role, content, tool_calls }: Json): boolean =>
  role !== 'assistant' || Boolean(tool_calls) || (Array.isArray(content) ? content.length > 0 : Boolean(content))

/** Neighbours of one role become one message. */
function joined(messages: Json[]): Json[] {
  const result: Json[] = []
  for (const message of messages) {
    const last = result.at(-1)
    const isAlone = message.role === 'tool' || message.tool_calls || last?.tool_calls
    const own =
      message.role === 'assistant' ? without(message, 'reasoning_content', 'reasoning_details', 'refusal') : message
    if (!last || last.role !== own.role || isAlone) result.push(own)
    else result[result.length - 1] = { ...last, content: contentOf(last.content, own.content) }
  }
  return result
}

function contentOf(before: unknown, after: unknown): unknown {
  if (!Array.isArray(before) && !Array.isArray(after))
    return [textOf(before), textOf(after)].filter(Boolean).join('\n\n')
  return [...partsOf(before), ...partsOf(after)]
}

const partsOf = (content: unknown): unknown[] =>
  Array.isArray(content) ? content : content ? [{ type: 'text', text: content }] : []

/** A document is a URL or bare base64. https://docs.perplexity.ai/guides/file-attachments (read 2026-11) */
function withFileUrl(part: Json): Json {
  const { type, file } = part
  if (type !== 'file' || !isObject(file) || typeof file.file_data !== 'string') return part
  const url = file.file_data.replace(/^data:[^,]*;base64,/, '')
  return {
    type: 'file_url',
    file_url: { url },
    ...(file.filename !== undefined && { file_name: file.filename }),
  }
}
