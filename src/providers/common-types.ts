/** The channel types that most operators connect first. */
import { anthropic, azure, custom, deepSeek, gemini, ollama, openAi, openRouter } from './available.ts'

export const commonTypes: readonly number[] = [
  openAi,
  anthropic,
  gemini,
  azure,
  deepSeek,
  openRouter,
  ollama,
  custom,
].map(({ type }) => type)
