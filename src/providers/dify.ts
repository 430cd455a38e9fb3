/** Dify: the key names an app, whose kind decides the path. https://docs.dify.ai/en/api-reference (read 2026-11) */
import type { ApiError } from '../formats/canonical/chat.ts'
import { dify as format } from '../formats/dify/index.ts'
import { reportsNode } from '../formats/dify/usage.ts'
import { isObject } from '../formats/json/checks.ts'
import { entryOf, objectOf, objectsOf, textOf } from '../formats/json/lenient-json.ts'
import { type Json, parsedOrUndefined } from '../pure/json.ts'
import { baseUrlOf, withVersion } from './kit/base-url.ts'
import { conversationUser } from './kit/conversation-user.ts'
import { without } from './kit/json-edits.ts'
import { provider } from './kit/provider.ts'
import { type EarnedToken, type SideResponse, StepRefused, type Steps } from './kit/steps.ts'
import { uploadForm } from './kit/upload-form.ts'
import type { UpstreamConfig } from './kit/upstream-config.ts'

const BASE_URL = 'https://api.dify.ai'

const urlOf = (config: UpstreamConfig, path: string) => `${withVersion(baseUrlOf(config, BASE_URL), '/v1')}${path}`

const bearer = ({ key }: UpstreamConfig) => ({ authorization: `Bearer ${key}` })

export const dify = provider({
  type: 37,
  label: 'Dify',
  base_url: BASE_URL,
  key_format: 'app-…',
  models: [],
  quirks: { settings: ['dify_app'], key_hint: 'dify', probe: { kind: 'chat' } },
  authorize: bearer,
  credential: {
    // What is kept is the kind of the app: asked for once, however many calls wait.
    is_public: true,
    earn: config => (appNamed(config.setting?.dify_app) ? undefined : findApp(config)),
    renew_seconds: 3600,
  },
  apis: {
    chat: {
      format,
      url: config => urlOf(config, paths[appOf(config)]),
      streams_only: () => true,
      rewriteRequest,
      before: uploadFiles,
      rewriteEvent: event => (isRead(event) ? event : undefined),
    },
  },
})

type App = keyof typeof paths

const paths = {
  chat: '/chat-messages',
  completion: '/completion-messages',
  workflow: '/workflows/run',
}

/** Names of the channel setting, and those by which Dify itself names the kinds. */
const apps: Record<string, App> = {
  chat: 'chat',
  agent: 'chat',
  'agent-chat': 'chat',
  chatflow: 'chat',
  'advanced-chat': 'chat',
  completion: 'completion',
  workflow: 'workflow',
}

const appNamed = (name: unknown): App | undefined => entryOf(apps, name)

const appOf = ({ setting, token }: UpstreamConfig): App => appNamed(setting?.dify_app) ?? appNamed(token) ?? 'chat'

const DAY_SECONDS = 86_400

/** Older servers name no mode: there only a workflow has no opening statement. https://docs.dify.ai/en/api-reference/applications/get-app-info (read 2026-11) */
function* findApp(config: UpstreamConfig): Steps<EarnedToken | ApiError> {
  const ask = (path: string) => ({ url: urlOf(config, path), headers: bearer(config) })
  const info = yield ask('/info')
  if (info.status >= 400 && info.status !== 404) return refusalIn(info)
  const app = appNamed(objectOf(info.body).mode)
  if (app) return found(app)
  const parameters = yield ask('/parameters')
  if (parameters.status >= 400 || !isObject(parameters.body)) return refusalIn(parameters)
  return found(typeof parameters.body.opening_statement === 'string' ? 'chat' : 'workflow')
}

const found = (app: App): EarnedToken => ({ token: app, seconds: DAY_SECONDS })

const BAD_GATEWAY = 502

function refusalIn({ body, status }: SideResponse): ApiError {
  const known = status >= 400 ? status : BAD_GATEWAY
  const error = format.readError(isObject(body) ? body : { message: `Dify responded with status ${status}` }, known)
  return error ?? { status: known, message: '', type: '', code: '', param: null }
}

/** Apps without a conversation read inputs instead of a query. */
function rewriteRequest(body: Json, config: UpstreamConfig): Json {
  const { query, message = query } = body
  const user = conversationUser(config, body.user)
  if (appOf(config) === 'chat') return { ...without(body, 'message'), user }
  const inputs = parsedOrUndefined(textOf(message))
  return {
    ...without(body, 'message', 'query', 'conversation_id', 'auto_generate_name'),
    inputs: isObject(inputs) ? inputs : { query },
    user,
  }
}

/** https://docs.dify.ai/en/api-reference/files/upload-file (read 2026-11) */
function* uploadFiles(body: Json, config: UpstreamConfig): Steps<Json> {
  const files = objectsOf(body.files)
  if (!files.some(({ content }) => content)) return body
  const written: Json[] = []
  for (const { content, ...file } of files) {
    if (!content) written.push(file)
    else {
      const form = uploadForm(objectOf(content), { user: textOf(body.user) })
      const response = yield { url: urlOf(config, '/files/upload'), body: form }
      const { id } = objectOf(response.body)
      if (response.status >= 400 || typeof id !== 'string') throw new StepRefused(refusalIn(response))
      written.push({ ...file, upload_file_id: id })
    }
  }
  return { ...body, files: written }
}

/** Steps of a workflow pass unread: an error that follows them comes before the first event of the answer. */
const isRead = (event: Json): boolean =>
  reportsNode(event) ||
  !/^(?:ping|workflow_started|node_|iteration_|loop_|parallel_|agent_log|tts_)/.test(textOf(event.event))
