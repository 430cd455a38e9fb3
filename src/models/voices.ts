/** Names of voices. https://platform.openai.com/docs/guides/text-to-speech (read 2026-11) */

const openAiVoices = /^(?:alloy|ash|ballad|cedar|coral|echo|fable|marin|nova|onyx|sage|shimmer|verse)$/

/** Clients of OpenAI's API must name a voice: other makers do not have these. */
export const isOpenAiVoice = (voice: string): boolean => openAiVoices.test(voice)
