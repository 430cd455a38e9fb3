/** The client format in which an operation is usually called, where a question names none. */
import type { ClientFormat } from '../formats/format.ts'
import { midjourney } from '../formats/midjourney/index.ts'
import { openAiChat } from '../formats/openai-chat/index.ts'
import { openAiEmbeddings } from '../formats/openai-embeddings/index.ts'
import { imageGenerations } from '../formats/openai-images/index.ts'
import { openAiModerations } from '../formats/openai-moderations/index.ts'
import { openAiRealtime } from '../formats/openai-realtime/index.ts'
import { openAiSpeech } from '../formats/openai-speech/index.ts'
import { openAiTranscriptions } from '../formats/openai-transcriptions/index.ts'
import { openAiVideos } from '../formats/openai-videos/index.ts'
import { rerank } from '../formats/rerank/index.ts'
import { suno } from '../formats/suno/index.ts'
import type { Operation } from './kit/provider.ts'

export const usualFormats = {
  chat: openAiChat,
  embeddings: openAiEmbeddings,
  rerank,
  moderations: openAiModerations,
  image_generations: imageGenerations,
  speech: openAiSpeech,
  transcriptions: openAiTranscriptions,
  realtime: openAiRealtime,
  drawing_imagine: midjourney,
  music: suno,
  videos: openAiVideos,
} as const satisfies Partial<Record<Operation, ClientFormat>>
