/**
 * OpenAI's moderations of texts and images. Responses report no usage.
 * https://platform.openai.com/docs/api-reference/moderations (read 2026-11)
 */
import { bodyParts, bodyTokens, countableInput, inputText, isInput } from '../embedding-input.ts'
import { isAbsent, required, wrong } from '../json/checks.ts'
import { nonGenerative } from '../non-generative.ts'

const IMPLIED_MODEL = 'text-moderation-stable'

export const openAiModerations = nonGenerative({
  name: 'openai-moderations',
  implied_model: IMPLIED_MODEL,
  flaw({ input }) {
    if (isAbsent(input) || input === '') return required('input')
    if (!isInput(input)) return wrong('input')
  },
  promptTokens: body => bodyTokens(body, 'input'),
  promptParts: body => bodyParts(body, 'input'),
  countablePrompt: body => countableInput(body.input),
  promptText: body => inputText(body.input),
  results: response => response.results,
})
