/** Coze: a channel is one bot. https://www.coze.cn/docs/developer_guides/chat_v3 (read 2026-11) */
import { coze as format } from '../formats/coze/index.ts'
import { isObject } from '../formats/json/checks.ts'
import { objectOf, objectsOf, textOf } from '../formats/json/lenient-json.ts'
import type { Json } from '../pure/json.ts'
import { baseUrlOf, withoutVersion } from './kit/base-url.ts'
import { conversationUser } from './kit/conversation-user.ts'
import { without } from './kit/json-edits.ts'
import { provider } from './kit/provider.ts'
import { type SideResponse, StepRefused, type Steps } from './kit/steps.ts'
import { uploadForm } from './kit/upload-form.ts'
import type { UpstreamConfig } from './kit/upstream-config.ts'

const BASE_URL = 'https://api.coze.cn'

const urlOf = (config: UpstreamConfig, path: string) => `${withoutVersion(baseUrlOf(config, BASE_URL))}${path}`

export const coze = provider({
  type: 101,
  label: 'Coze',
  base_url: BASE_URL,
  key_format: 'pat_…',
  models: [],
  presets: [{ kind: 'international', base_url: 'https://api.coze.com' }],
  quirks: { key_hint: 'coze', probe: { kind: 'chat' }, other: { meaning: 'bot', example: '7428000000000000000' } },
  authorize: ({ key }) => ({ authorization: `Bearer ${key}` }),
  apis: {
    chat: {
      format,
      url: (config, _model, _streamed, body) => urlOf(config, `/v3/chat${queryOf(body)}`),
      framing: 'raw_sse',
      streams_only: () => true,
      rewriteRequest,
      before: uploadFiles,
      rewriteEvent: event => (isProgress(event) ? undefined : event),
    },
  },
})

function rewriteRequest(body: Json, config: UpstreamConfig): Json {
  const user_id = conversationUser(config, body.user_id)
  return { bot_id: config.other, ...without(body, 'conversation_id'), user_id }
}

const queryOf = ({ conversation_id }: Json): string =>
  typeof conversation_id === 'string' ? `?conversation_id=${encodeURIComponent(conversation_id)}` : ''

/** A failure that follows these comes before the first event of the answer. */
const isProgress = ({ event }: Json): boolean => /^conversation\.chat\.(?:created|in_progress)$/.test(textOf(event))

/** Contents of several parts become texts. https://www.coze.cn/docs/developer_guides/upload_files (read 2026-11) */
function* uploadFiles(body: Json, config: UpstreamConfig): Steps<Json> {
  const additional_messages: Json[] = []
  for (const message of objectsOf(body.additional_messages)) {
    const { content } = message
    if (!Array.isArray(content)) additional_messages.push(message)
    else additional_messages.push({ ...message, content: JSON.stringify(yield* uploaded(objectsOf(content), config)) })
  }
  return { ...body, additional_messages }
}

function* uploaded(parts: Json[], config: UpstreamConfig): Steps<Json[]> {
  const written: Json[] = []
  for (const { content, ...part } of parts) {
    if (!content) written.push(part)
    else {
      const response = yield { url: urlOf(config, '/v1/files/upload'), body: uploadForm(objectOf(content)) }
      written.push({ ...part, file_id: idIn(response) })
    }
  }
  return written
}

const BAD_GATEWAY = 502

function idIn({ body, status }: SideResponse): string {
  const { id } = objectOf(objectOf(body).data)
  if (status < 400 && typeof id === 'string') return id
  const known = isObject(body) ? body : { message: `Coze responded with status ${status}` }
  const unknown = { status: BAD_GATEWAY, message: '', type: '', code: '', param: null }
  throw new StepRefused(format.readError(known, status >= 400 ? status : 0) ?? unknown)
}
