/** Reads the response of an invocation into a ChatResponse. https://open.bigmodel.cn/dev/api#chatglm_turbo (read 2026-11) */
import { parsedOrUndefined } from '../../pure/json.ts'
import type { ChatResponse } from '../canonical/chat.ts'
import { isObject } from '../json/checks.ts'
import { objectOf, objectsOf, textOf } from '../json/lenient-json.ts'
import { readTokens } from '../json/token-usage.ts'
import type { InvocationResult } from './wire.ts'

export function readResponse(body: unknown): ChatResponse | undefined {
  if (!isObject(body) || !isObject(body.data) || !Array.isArray(body.data.choices)) return undefined
  const { task_id, request_id, choices, usage } = objectOf<InvocationResult>(body.data)
  const read = readTokens(objectOf(usage))
  return {
    id: textOf(request_id) || textOf(task_id),
    model: '',
    choices: objectsOf<InvocationResult['choices'][number]>(choices).map(({ content }) => ({
      parts: [{ kind: 'text', text: unquoted(textOf(content)) }],
      finish: { reason: 'stop' },
    })),
    usage: read?.usage,
    doubts: read?.doubts ?? [],
  }
}

/** The content is mostly a JSON string in a JSON string. */
function unquoted(content: string): string {
  if (!content.startsWith('"')) return content
  const parsed = parsedOrUndefined(content)
  return typeof parsed === 'string' ? parsed : content
}
