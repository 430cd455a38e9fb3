/**
 * Tokens of documents, recordings and videos in a prompt, by model: figures for reservations, and for bills where an
 * upstream reports none.
 * Anthropic: https://docs.anthropic.com/en/docs/build-with-claude/pdf-support (1,500 to 3,000 and an image for a page)
 * Google: https://ai.google.dev/gemini-api/docs/document-processing and https://ai.google.dev/gemini-api/docs/audio
 * OpenAI: https://platform.openai.com/docs/guides/pdf-files and https://platform.openai.com/docs/guides/audio
 * (read 2026-11)
 */

interface MediaTokens {
  page: number
  second_of_audio: number
  second_of_video: number
}

const makers: [model: RegExp, tokens: MediaTokens][] = [
  [/claude/, { page: 3500, second_of_audio: 25, second_of_video: 300 }],
  [/gemini/, { page: 560, second_of_audio: 32, second_of_video: 300 }],
  [/gpt-|(?:^|\/)o\d/, { page: 2000, second_of_audio: 10, second_of_video: 300 }],
]
const others: MediaTokens = { page: 2000, second_of_audio: 25, second_of_video: 300 }

export const mediaTokensOf = (model: string): MediaTokens =>
  makers.find(([pattern]) => pattern.test(model))?.[1] ?? others
