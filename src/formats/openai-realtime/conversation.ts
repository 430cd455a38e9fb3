/** The prompt of a realtime session's turns: the last one that was measured, and what has been added since. */

import { buckets, type Usage, usageOf } from '../../billing/usage.ts'

/**
 * What was deleted or truncated counts until the next report: only the upstream knows how much shorter its prompt is.
 */
export class Conversation {
  /** Tokens of the last measured prompt and of the response to it. */
  #measured = usageOf()
  /** `mark` of that prompt. */
  #measured_at = usageOf()
  #added = usageOf()

  /** Everything that was ever added. */
  get mark(): Usage {
    return this.#added
  }

  add(usage: Usage) {
    this.#added = sumOf(this.#added, usage)
  }

  /** The prompt of a turn that began at a mark. */
  promptAt(mark: Usage): Usage {
    return sumOf(this.#measured, beyond(mark, this.#measured_at))
  }

  measure(prompt: Usage, response: Usage, mark: Usage) {
    this.#measured = sumOf(prompt, response)
    this.#measured_at = mark
  }
}

export function sumOf(one: Usage, other: Usage): Usage {
  const sum = { ...one, reasoning: one.reasoning + other.reasoning }
  for (const bucket of buckets) sum[bucket] += other[bucket]
  return sum
}

function beyond(whole: Usage, part: Usage): Usage {
  const rest = usageOf()
  for (const bucket of buckets) rest[bucket] = Math.max(0, whole[bucket] - part[bucket])
  return rest
}
