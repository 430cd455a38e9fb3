/** Thinking that a response does not show. It counts as output by its time, until a report counts it. */

import { isChatClient, type ResponseFacts } from '../../formats/format.ts'
import { requestedThinking } from '../../formats/requested-effort.ts'
import { thinkingSpeed, thinksUnseen } from '../../models/hidden-thinking.ts'
import type { Call } from '../call.ts'

const MS_PER_SECOND = 1000

/** The thinking of one attempt, from its request on. */
export class HiddenThinking {
  readonly #begin_ms: number
  #end_ms: number | undefined

  private constructor(
    private readonly elapsed: () => number,
    /** Tokens a second. */
    private readonly speed: number,
    private readonly tokens_max: number,
  ) {
    this.#begin_ms = elapsed()
  }

  /** @returns undefined for a model that does not think, or shows all that it thinks */
  static of(call: Call, model: string): HiddenThinking | undefined {
    const speed = isChatClient(call.endpoint.format) ? thinkingSpeed(model) : undefined
    if (!speed) return undefined
    const requested = requestedThinking(call.billed_body ?? call.body, model)
    if (!thinksUnseen(model, requested)) return undefined
    const { choices } = call.facts
    const max_output = call.is_limited ? call.paid_output : (call.facts.max_output ?? Number.POSITIVE_INFINITY)
    const max = Math.min(max_output, requested.budget ?? max_output)
    return new HiddenThinking(call.elapsed, speed * choices, max * choices)
  }

  /** Whether the answer has not begun yet. */
  get isOn(): boolean {
    return this.#end_ms === undefined
  }

  /** Notes whether the answer has begun. */
  observe(facts: ResponseFacts) {
    if (this.isOn && facts.output_estimate > (facts.thinking_estimate ?? 0)) this.#end_ms = this.elapsed()
  }

  /** Estimated by the time: what was thought in all. */
  get tokens(): number {
    const ms = (this.#end_ms ?? this.elapsed()) - this.#begin_ms
    return Math.min(Math.floor((ms * this.speed) / MS_PER_SECOND), this.tokens_max)
  }

  /** Estimated tokens of thoughts that are not in `output_estimate`. */
  unseen({ thinking_estimate = 0 }: ResponseFacts): number {
    return Math.max(0, this.tokens - thinking_estimate)
  }
}
