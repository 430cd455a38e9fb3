/**
 * Reads the body of POST /v1/completions.
 * https://platform.openai.com/docs/api-reference/completions (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import { inputsIn, isInput } from '../embedding-input.ts'
import type { RequestFacts } from '../format.ts'
import {
  CHOICES_LIMIT,
  countFlaw,
  countIn,
  type Flaw,
  firstOf,
  flagFlaw,
  isAbsent,
  modelFlaw,
  modelIn,
  required,
  TOKENS_LIMIT,
  wrong,
} from '../json/checks.ts'
import { withNestedLimits } from '../json/nested-limits.ts'
import { streamOptionsFlaw, wantsUsage } from '../openai-chat/request.ts'

export const readFacts = (body: Json): RequestFacts | Flaw => withNestedLimits(ownFacts(body), body)

function ownFacts(body: Json): RequestFacts | Flaw {
  const flaw = firstOf(
    modelFlaw(body),
    promptFlaw(body),
    flagFlaw(body, 'stream'),
    streamOptionsFlaw(body),
    countFlaw(body, 'n', 1, CHOICES_LIMIT),
    countFlaw(body, 'best_of', 1, CHOICES_LIMIT),
    countFlaw(body, 'max_tokens', 0, TOKENS_LIMIT),
  )
  if (flaw) return flaw
  return {
    model: modelIn(body),
    stream: body.stream === true,
    max_output: countIn(body, 'max_tokens'),
    // Every prompt has its own choices, and all `best_of` candidates are billed.
    choices: Math.max(countIn(body, 'n') ?? 1, countIn(body, 'best_of') ?? 1) * inputsIn(body.prompt),
    wants_usage: wantsUsage(body),
  }
}

function promptFlaw({ prompt }: Json): Flaw | undefined {
  if (isAbsent(prompt) || prompt === '') return required('prompt')
  if (!isInput(prompt)) return wrong('prompt')
}
