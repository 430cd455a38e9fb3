/**
 * OpenAI's embeddings of texts or tokens, one or many, as numbers or base64.
 * https://platform.openai.com/docs/api-reference/embeddings (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import { bodyParts, bodyTokens, countableInput, inputText, isInput } from '../embedding-input.ts'
import { countFlaw, type Flaw, firstOf, isAbsent, required, wrong } from '../json/checks.ts'
import { nonGenerative } from '../non-generative.ts'

const DIMENSIONS_MAX = 65_536

export const openAiEmbeddings = nonGenerative({
  name: 'openai-embeddings',
  flaw: body => firstOf(inputFlaw(body), countFlaw(body, 'dimensions', 1, DIMENSIONS_MAX)),
  promptTokens: body => bodyTokens(body, 'input'),
  promptParts: body => bodyParts(body, 'input'),
  countablePrompt: body => countableInput(body.input),
  promptText: body => inputText(body.input),
  results: response => response.data,
})

function inputFlaw({ input }: Json): Flaw | undefined {
  if (isAbsent(input) || input === '') return required('input')
  if (!isInput(input)) return wrong('input')
}
