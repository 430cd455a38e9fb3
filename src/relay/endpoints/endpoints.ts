/** The addresses that have something done, below the version: one line each. */
import { anthropic } from '../../formats/anthropic/index.ts'
import { batchEmbedContents, embedContent } from '../../formats/gemini/embeddings.ts'
import { gemini } from '../../formats/gemini/index.ts'
import { openAiChat } from '../../formats/openai-chat/index.ts'
import { openAiCompletions } from '../../formats/openai-completions/index.ts'
import { openAiEmbeddings } from '../../formats/openai-embeddings/index.ts'
import { imageEdits, imageGenerations, imageVariations } from '../../formats/openai-images/index.ts'
import { openAiModerations } from '../../formats/openai-moderations/index.ts'
import { openAiResponses } from '../../formats/openai-responses/index.ts'
import { openAiSpeech } from '../../formats/openai-speech/index.ts'
import { openAiTranscriptions } from '../../formats/openai-transcriptions/index.ts'
import { rerank } from '../../formats/rerank/index.ts'
import type { Door } from '../call.ts'

export const doors: Record<string, Door> = {
  '/chat/completions': { operation: 'chat', codec: openAiChat },
  '/responses': { operation: 'responses', codec: openAiResponses },
  '/messages': { operation: 'chat', codec: anthropic },
  '/completions': { operation: 'completions', codec: openAiCompletions },
  '/embeddings': { operation: 'embeddings', codec: openAiEmbeddings },
  '/images/generations': { operation: 'image_generations', codec: imageGenerations },
  '/images/edits': { operation: 'image_edits', codec: imageEdits, form: 'too' },
  '/images/variations': { operation: 'image_variations', codec: imageVariations, form: 'too' },
  '/audio/speech': { operation: 'speech', codec: openAiSpeech },
  '/audio/transcriptions': { operation: 'transcriptions', codec: openAiTranscriptions, form: 'recording' },
  '/audio/translations': { operation: 'translations', codec: openAiTranscriptions, form: 'recording' },
  '/moderations': { operation: 'moderations', codec: openAiModerations },
  '/rerank': { operation: 'rerank', codec: rerank },
}

/** Google's addresses say what is to be done behind the name of the model. */
export function geminiDoor(model: string, deed: string, alt: string | null): Door | undefined {
  if (deed === 'embedContent') return { operation: 'embeddings', codec: embedContent, model }
  if (deed === 'batchEmbedContents') return { operation: 'embeddings', codec: batchEmbedContents, model }
  const door = { operation: 'chat', codec: gemini, model } as const
  if (deed === 'generateContent') return { ...door, stream: false }
  if (deed === 'streamGenerateContent') return { ...door, stream: alt === 'sse' || 'array' }
}
