/**
 * Where requests name what OpenAI and makers with its format store, and where responses do.
 * https://platform.openai.com/docs/api-reference/chat/create (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import { objectOf, objectsOf } from '../json/lenient-json.ts'
import { type MadeObject, type StoredPlace, type StoredUse, storedPlaces } from '../stored-places.ts'

export const chatPlaces: readonly StoredPlace[] = [
  { kind: 'file', at: 'messages.content.file.file_id' },
  // Of Mistral. https://docs.mistral.ai/api/endpoint/chat (read 2026-11)
  { kind: 'file', at: 'messages.content.file_id' },
  // Of Moonshot. https://platform.kimi.com/docs/guide/use-kimi-vision-model (read 2026-11)
  { kind: 'file', at: 'messages.content.image_url', use: useOfUrl },
  { kind: 'file', at: 'messages.content.image_url.url', use: useOfUrl },
  { kind: 'file', at: 'messages.content.video_url', use: useOfUrl },
  { kind: 'file', at: 'messages.content.video_url.url', use: useOfUrl },
  // Of Alibaba. https://www.alibabacloud.com/help/en/model-studio/long-context-qwen-long (read 2026-11)
  { kind: 'file', at: 'messages.content', use: useOfText },
  { kind: 'audio', at: 'messages.audio.id' },
  { kind: 'voice', at: 'audio.voice.id' },
  // Of Google. https://ai.google.dev/gemini-api/docs/openai (read 2026-11)
  { kind: 'cached_content', at: 'cached_content' },
  { kind: 'cached_content', at: 'google.cached_content' },
]

export const storedIn = storedPlaces(chatPlaces, { same: { extra_body: '' } })

function useOfUrl(url: string): StoredUse | undefined {
  return url.startsWith('ms://') ? 'needed' : undefined
}

function useOfText(text: string, { role }: Json): StoredUse | undefined {
  return role === 'system' && text.startsWith('fileid://') ? 'needed' : undefined
}

/** A voice message is kept for an hour, so that the next request can name it. */
export const madeIn = (choices: unknown): MadeObject[] =>
  objectsOf(choices).flatMap(({ message }) => madeOf(objectOf(message).audio))

export function madeOf(audio: unknown): MadeObject[] {
  const { id } = objectOf(audio)
  return typeof id === 'string' && id ? [{ kind: 'audio', id }] : []
}
