/** Google's own tools beside functions. https://ai.google.dev/gemini-api/docs/tool-combination (read 2026-11) */
import { traitsOf } from '../../models/traits.ts'
import type { Tool } from '../canonical/chat.ts'

/** Models before Gemini 3 accept no tools of Google's beside functions. */
export const takesHosted = (model: string, tools: readonly Tool[]): boolean =>
  traitsOf(model, 'google').mixes_tools || !tools.some(tool => tool.kind === 'function')
