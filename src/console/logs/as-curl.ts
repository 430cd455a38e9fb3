/** A logged call as a command: its own path and client format, its messages where they were kept, and no API key. */
import { type LogDetails, type LogEntry, LogType } from '../../contracts/log.ts'
import { type LoggedMessage, loggedMessages } from '../../contracts/logged-messages.ts'
import { PLAYGROUND_CALL_PATH } from '../../contracts/playground.ts'
import { TRY_IT_PATH } from '../../contracts/try-it.ts'

/** The shell puts the reader's key in its place. */
const KEY = '$TOLLGATE_KEY'

/** Stands for messages that were not kept. */
const PLACEHOLDER: LoggedMessage[] = [{ role: 'user', text: 'Hello' }]

interface CallText {
  model: string
  stream: boolean
  messages: LoggedMessage[]
  /** The last message. */
  prompt: string
}

interface CurlParts {
  body?: object
  /** Fields of a form, in place of a body. */
  form?: Record<string, string>
  /** The field of the form that holds a file, and its name. */
  file?: [field: string, name: string]
  query?: string
}

type Write = (asked: CallText) => CurlParts

const streamed = ({ stream }: CallText) => (stream ? { stream } : {})
const systemOf = ({ messages }: CallText) =>
  messages
    .filter(({ role }) => role === 'system')
    .map(({ text }) => text)
    .join('\n') || undefined
const spoken = ({ messages }: CallText) => messages.filter(({ role }) => role !== 'system')
const asContent = ({ role, text }: LoggedMessage) => ({ role, content: text })

const chat: Write = asked => ({
  body: { model: asked.model, messages: asked.messages.map(asContent), ...streamed(asked) },
})

const responses: Write = asked => ({
  body: {
    model: asked.model,
    instructions: systemOf(asked),
    input: spoken(asked).map(asContent),
    ...streamed(asked),
  },
})

const compaction: Write = asked => ({ body: { model: asked.model, input: spoken(asked).map(asContent) } })

const ANTHROPIC_MAX_TOKENS = 1024

const anthropic: Write = asked => ({
  body: {
    model: asked.model,
    max_tokens: ANTHROPIC_MAX_TOKENS,
    system: systemOf(asked),
    messages: spoken(asked).map(asContent),
    ...streamed(asked),
  },
})

const gemini: Write = asked => {
  const text = systemOf(asked)
  return {
    body: {
      systemInstruction: text && { parts: [{ text }] },
      contents: spoken(asked).map(({ role, text }) => ({
        role: role === 'assistant' ? 'model' : role,
        parts: [{ text }],
      })),
    },
    query: asked.stream ? '?alt=sse' : '',
  }
}

const content = (text: string) => ({ content: { parts: [{ text }] } })

/** In the order in which paths are compared; the first that fits holds. */
const writers: [path: RegExp, write: Write][] = [
  [/^\/v1\/chat\/completions$/, chat],
  [/^\/v1\/responses$/, responses],
  [/^\/v1\/responses\/compact$/, compaction],
  [/^\/v1\/messages$/, anthropic],
  [/^\/v1(beta)?\/models\/.*:(g|streamG)enerateContent$/, gemini],
  [/^\/v1(beta)?\/models\/.*:embedContent$/, ({ prompt }) => ({ body: content(prompt) })],
  [
    /^\/v1(beta)?\/models\/.*:batchEmbedContents$/,
    ({ model, prompt }) => ({ body: { requests: [{ model: `models/${model}`, ...content(prompt) }] } }),
  ],
  [/^\/v1\/completions$/, asked => ({ body: { model: asked.model, prompt: asked.prompt, ...streamed(asked) } })],
  [/^\/v1\/(engines\/.*\/)?embeddings$/, ({ model, prompt }) => ({ body: { model, input: prompt } })],
  [/^\/v1\/moderations$/, ({ model, prompt }) => ({ body: { model, input: prompt } })],
  [/^\/v1\/images\/generations$/, ({ model, prompt }) => ({ body: { model, prompt } })],
  [/^\/v1\/images\/edits$/, ({ model, prompt }) => ({ form: { model, prompt }, file: ['image', 'image.png'] })],
  [/^\/v1\/images\/variations$/, ({ model }) => ({ form: { model }, file: ['image', 'image.png'] })],
  [/^\/v1\/audio\/speech$/, ({ model, prompt }) => ({ body: { model, input: prompt, voice: 'alloy' } })],
  [/^\/v1\/audio\/(transcriptions|translations)$/, ({ model }) => ({ form: { model }, file: ['file', 'audio.mp3'] })],
  [/^(\/v1)?\/rerank$/, ({ model, prompt }) => ({ body: { model, query: prompt, documents: [prompt] } })],
  [/^\/v1\/videos$/, ({ model, prompt }) => ({ body: { model, prompt } })],
  [/^\/mj\/submit\/imagine$/, ({ prompt }) => ({ body: { prompt } })],
  [/^\/suno\/submit\/music$/, ({ prompt }) => ({ body: { gpt_description_prompt: prompt } })],
]

/** Visitors and the playground call without a key, in OpenAI's format. */
const withKey = (path: string) => ([PLAYGROUND_CALL_PATH, TRY_IT_PATH].includes(path) ? '/v1/chat/completions' : path)

/** All paths also stand below /hf. */
const writerFor = (path: string) => {
  const plain = path.replace(/^\/hf(?=\/)/, '')
  return writers.find(([pattern]) => pattern.test(plain))?.[1]
}

/** Whether the playground's chat can make the call again. */
export const isChat = ({ request_path = '' }: LogDetails): boolean =>
  ([chat, responses, anthropic, gemini] as unknown[]).includes(writerFor(withKey(request_path)))

/**
 * @param base address of the API, without `/v1`
 * @returns undefined for what one command does not repeat: WebSockets, and tasks that continue others
 */
export function asCurl(entry: LogEntry, details: LogDetails, base: string): string | undefined {
  if (!isRepeatable(entry) || !details.request_path || details.ws) return undefined
  const path = withKey(details.request_path)
  const write = writerFor(path)
  if (!write) return undefined
  const { body, form = {}, file, query = '' } = write(askedIn(entry, details))
  const parts = [`curl ${inShell(base + path + query)}`, ...headersFor(path).map(header => `-H "${header}"`)]
  if (body) parts.push('-H "Content-Type: application/json"', `-d ${inShell(JSON.stringify(body, undefined, 2))}`)
  // A text that begins with @ would name a file with -F.
  for (const [name, text] of Object.entries(form)) parts.push(`--form-string ${inShell(`${name}=${text}`)}`)
  if (file) parts.push(`-F ${inShell(`${file[0]}=@${file[1]}`)}`)
  return parts.join(' \\\n  ')
}

function askedIn({ model_name, is_stream }: LogEntry, details: LogDetails): CallText {
  const kept = loggedMessages(details)
  const messages = kept.some(({ role }) => role !== 'system') ? kept : [...kept, ...PLACEHOLDER]
  return { model: model_name, stream: is_stream, messages, prompt: messages.at(-1)!.text }
}

const isRepeatable = ({ type, model_name }: LogEntry) =>
  model_name !== '' && ([LogType.consume, LogType.error, LogType.untyped] as number[]).includes(type)

function headersFor(path: string): string[] {
  if (path.endsWith('/v1/messages')) return [`x-api-key: ${KEY}`, 'anthropic-version: 2023-06-01']
  return [/:\w+$/.test(path) ? `x-goog-api-key: ${KEY}` : `Authorization: Bearer ${KEY}`]
}

const inShell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
