/**
 * DashScope's speech and transcriptions. https://help.aliyun.com/zh/model-studio/qwen-tts,
 * https://help.aliyun.com/zh/model-studio/qwen-asr-api and
 * https://help.aliyun.com/zh/model-studio/paraformer-recorded-speech-recognition-restful-api (read 2026-11)
 */
import { isObject } from '../../formats/json/checks.ts'
import { numberOf, objectOf, objectsOf, textOf } from '../../formats/json/lenient-json.ts'
import { waveFile } from '../../formats/media/wav.ts'
import { takesOneFile, transcribesAtOnce } from '../../models/qwen.ts'
import { isOpenAiVoice } from '../../models/voices.ts'
import type { Json } from '../../pure/json.ts'
import { errorBody, only } from '../kit/json-edits.ts'
import type { ApiDeclaration } from '../kit/openai-compatible.ts'
import type { WrappedFile } from '../kit/quirks.ts'
import type { SideResponse, Steps } from '../kit/steps.ts'
import type { UpstreamConfig } from '../kit/upstream-config.ts'
import { fieldOf } from '../kit/upstream-query.ts'
import { aliUrl, asJob, finishJob } from './jobs.ts'
import { type Transcript, writeTranscript } from './transcript.ts'

const GENERATION = '/api/v1/services/aigc/multimodal-generation/generation'
const TRANSCRIPTION = '/api/v1/services/audio/asr/transcription'

/** For clients that name none of Alibaba's voices. */
const DEFAULT_VOICE = 'Cherry'

export const speech: ApiDeclaration = {
  path: GENERATION,
  rewriteRequest: body => ({
    model: body.model,
    input: { text: body.input, voice: voiceIn(body), ...only(body, 'language_type') },
  }),
  after: withRecording,
  unwrapFile: readSpeech,
}

const voiceIn = ({ voice }: Json): unknown => (voice && !isOpenAiVoice(String(voice)) ? voice : DEFAULT_VOICE)

/** The answer has the recording itself or, for most models, its address. */
function* withRecording(body: unknown): Steps<unknown> {
  const { url, data } = objectOf(fieldOf(body, 'output.audio'))
  if (!isObject(body) || textOf(data) || !textOf(url)) return body
  const { status, bytes } = yield { url: String(url) }
  if (status !== 200) return errorBody('The recording could not be fetched', 'server_error', status)
  const audio = { data: Buffer.from(bytes).toString('base64') }
  return { ...body, output: { ...objectOf(body.output), audio } }
}

const WAVE_HEADER_BYTES = 44

/** A WAV file, or bare samples of 24 kHz; clients that ask for `pcm` get samples. */
function readSpeech(body: Json, { response_format }: Json): WrappedFile | undefined {
  const data = textOf(fieldOf(body, 'output.audio.data'))
  if (!data) return undefined
  const bytes = Buffer.from(data, 'base64')
  const isWave = bytes.toString('latin1', 0, 4) === 'RIFF'
  const report = isObject(body.usage) && 'input_tokens' in body.usage ? body.usage : undefined
  if (response_format === 'pcm')
    return { type: 'audio/pcm', bytes: isWave ? bytes.subarray(WAVE_HEADER_BYTES) : bytes, report }
  return { type: 'audio/wav', bytes: isWave ? bytes : waveFile(bytes, ''), report }
}

export const transcriptions: ApiDeclaration = {
  path: model => (transcribesAtOnce(model) ? GENERATION : TRANSCRIPTION),
  headers: model => (transcribesAtOnce(model) ? {} : { ...asJob, 'x-dashscope-ossresourceresolve': 'enable' }),
  takes_no_forms: true,
  rewriteRequest: body => (transcribesAtOnce(String(body.model)) ? writeShort(body) : writeLong(body)),
  before: uploaded,
  after: awaitTranscript,
}

function writeShort({ model, file, prompt, language }: Json): Json {
  const context = textOf(prompt) ? [{ role: 'system', content: [{ text: prompt }] }] : []
  return {
    model,
    input: { messages: [...context, { role: 'user', content: [{ audio: file }] }] },
    parameters: { asr_options: { ...(textOf(language) && { language }), enable_itn: false } },
  }
}

function writeLong({ model, file, language }: Json): Json {
  const hints = textOf(language) ? [language] : undefined
  if (takesOneFile(String(model)))
    return { model, input: { file_url: file }, parameters: { ...(hints && { language }) } }
  return { model, input: { file_urls: [file] }, parameters: { ...(hints && { language_hints: hints }) } }
}

/**
 * A recording inside the body goes to the storage that DashScope names for it.
 * https://help.aliyun.com/zh/model-studio/get-temporary-file-url (read 2026-11)
 */
function* uploaded(body: Json, config: UpstreamConfig): Steps<Json> {
  const input = objectOf(body.input)
  const file = textOf(input.file_url) || textOf([input.file_urls].flat()[0])
  if (!file.startsWith('data:')) return body
  const model = encodeURIComponent(String(body.model))
  const policy = yield { url: aliUrl(config, `/api/v1/uploads?action=getPolicy&model=${model}`) }
  const url = yield* stored(file, objectOf(fieldOf(policy.body, 'data')))
  return { ...body, input: takesOneFile(String(body.model)) ? { file_url: url } : { file_urls: url ? [url] : [] } }
}

/** @returns empty when the storage refuses: the call itself is then refused with the reason, such as a wrong key */
function* stored(file: string, policy: Json): Steps<string> {
  const { upload_host, upload_dir } = policy
  if (!textOf(upload_host)) return ''
  const [head = '', base64 = ''] = file.split(',', 2)
  const type = head.slice('data:'.length).split(';')[0] ?? ''
  const key = `${upload_dir}/recording.${extensions[type] ?? 'mp3'}`
  const form = new FormData()
  const fields = {
    OSSAccessKeyId: policy.oss_access_key_id,
    Signature: policy.signature,
    policy: policy.policy,
    'x-oss-object-acl': policy.x_oss_object_acl,
    'x-oss-forbid-overwrite': policy.x_oss_forbid_overwrite,
    key,
    success_action_status: '200',
  }
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value ?? ''))
  form.append('file', new Blob([Buffer.from(base64, 'base64')], { type }))
  const { status }: SideResponse = yield { url: String(upload_host), method: 'POST', body: form }
  return status < 300 ? `oss://${key}` : ''
}

const extensions: Record<string, string> = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/flac': 'flac',
  'audio/ogg': 'ogg',
  'audio/mp4': 'm4a',
  'audio/x-m4a': 'm4a',
  'audio/webm': 'webm',
  'video/mp4': 'mp4',
}

function* awaitTranscript(body: unknown, config: UpstreamConfig, request: Json): Steps<unknown> {
  if (!isObject(body)) return body
  const task = yield* finishJob(body, config)
  const transcript = readShort(task) ?? (yield* readLong(task))
  return 'text' in transcript ? writeTranscript(transcript as Transcript, request) : transcript
}

function readShort({ output, usage }: Json): Transcript | undefined {
  const [choice] = objectsOf(objectOf(output).choices)
  if (!choice) return undefined
  const parts = objectsOf(objectOf(choice.message).content)
  const { seconds, ...tokens } = objectOf(usage)
  return {
    text: parts.map(({ text }) => textOf(text)).join(''),
    seconds: numberOf(seconds),
    sentences: [],
    ...('input_tokens' in tokens && seconds === undefined && { tokens }),
  }
}

/** The text stands behind an address of its own. */
function* readLong(task: Json): Steps<Transcript | Json> {
  const output = objectOf(task.output)
  const [result = objectOf(output.result)] = objectsOf(output.results)
  const { transcription_url, code, message } = result
  if (!textOf(transcription_url)) return textOf(code) ? { code, message } : task
  const { status, body } = yield { url: String(transcription_url) }
  const transcripts = objectsOf(fieldOf(body, 'transcripts'))
  if (status !== 200 || !transcripts.length)
    return errorBody('The transcript could not be fetched', 'server_error', status)
  const { duration, seconds } = objectOf(task.usage)
  return {
    text: transcripts.map(({ text }) => textOf(text)).join('\n'),
    seconds: numberOf(duration) ?? numberOf(seconds),
    sentences: transcripts.flatMap(({ sentences }) => objectsOf(sentences)),
  }
}
