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
import type { Endpoint } from '../call.ts'

export const endpoints: Record<string, Endpoint> = {
  '/chat/completions': { operation: 'chat', format: openAiChat },
  '/responses': { operation: 'responses', format: openAiResponses },
  '/messages': { operation: 'chat', format: anthropic },
  '/completions': { operation: 'completions', format: openAiCompletions },
  '/embeddings': { operation: 'embeddings', format: openAiEmbeddings },
  '/images/generations': { operation: 'image_generations', format: imageGenerations },
  '/images/edits': { operation: 'image_edits', format: imageEdits, form: 'too' },
  '/images/variations': { operation: 'image_variations', format: imageVariations, form: 'too' },
  '/audio/speech': { operation: 'speech', format: openAiSpeech },
  '/audio/transcriptions': { operation: 'transcriptions', format: openAiTranscriptions, form: 'recording' },
  '/audio/translations': { operation: 'translations', format: openAiTranscriptions, form: 'recording' },
  '/moderations': { operation: 'moderations', format: openAiModerations },
  '/rerank': { operation: 'rerank', format: rerank },
}

/** Google's addresses say what is to be done behind the name of the model. */
export function geminiEndpoint(model: string, deed: string, alt: string | null): Endpoint | undefined {
  if (deed === 'embedContent') return { operation: 'embeddings', format: embedContent, model }
  if (deed === 'batchEmbedContents') return { operation: 'embeddings', format: batchEmbedContents, model }
  const door = { operation: 'chat', format: gemini, model } as const
  if (deed === 'generateContent') return { ...door, stream: false }
  if (deed === 'streamGenerateContent') return { ...door, stream: alt === 'sse' || 'array' }
}
