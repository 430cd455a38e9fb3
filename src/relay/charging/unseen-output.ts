/**
 * Output that does not show while it is produced: thinking that a response hides, and whole answers. It counts by its
 * time, until a report counts it.
 */

import { isChatClient, type ResponseFacts } from '../../formats/format.ts'
import { requestedThinking } from '../../formats/requested-effort.ts'
import { thinkingSpeed, thinksUnseen } from '../../models/hidden-thinking.ts'
import type { Call } from '../call.ts'

const MS_PER_SECOND = 1000
/** Tokens a second of a whole answer, rather too few than too many: the slowest hosts write as many. */
const ANSWER_SPEED = 20

/** The unseen output of one attempt, from its request on. */
export class UnseenOutput {
  readonly #begin_ms: number
  #end_ms: number | undefined
  readonly #tokens_max: number

  private constructor(
    private readonly call: Call,
    /** Tokens a second of one choice. */
    private readonly speed: number,
    readonly is_thinking: boolean,
    budget = Number.POSITIVE_INFINITY,
  ) {
    const { facts, hold } = call
    const max_output = hold.is_limited ? hold.paid_output : (facts.max_output ?? Number.POSITIVE_INFINITY)
    this.#begin_ms = call.elapsed()
    this.#tokens_max = Math.min(max_output, budget) * facts.choices
  }

  /** @returns undefined for a model that does not think, or shows all that it thinks */
  static ofThinking(call: Call, model: string): UnseenOutput | undefined {
    const speed = isChatClient(call.endpoint.format) ? thinkingSpeed(model) : undefined
    if (!speed) return undefined
    const requested = requestedThinking(call.billed_body ?? call.body, model)
    return thinksUnseen(model, requested) ? new UnseenOutput(call, speed, true, requested.budget) : undefined
  }

  /** @returns undefined where the answer is no text */
  static ofWhole(call: Call): UnseenOutput | undefined {
    return isChatClient(call.endpoint.format) ? new UnseenOutput(call, ANSWER_SPEED, false) : undefined
  }

  /** Whether the answer has not begun yet. */
  get isOn(): boolean {
    return this.#end_ms === undefined
  }

  /** Notes whether the answer has begun. */
  observe(facts: ResponseFacts) {
    if (this.isOn && facts.output_estimate > (facts.thinking_estimate ?? 0)) this.#end_ms = this.call.elapsed()
  }

  /** Estimated by the time: what was produced in all. */
  get tokens(): number {
    const ms = (this.#end_ms ?? this.call.elapsed()) - this.#begin_ms
    return Math.min(Math.floor((ms * this.speed * this.call.facts.choices) / MS_PER_SECOND), this.#tokens_max)
  }

  /** Estimated tokens of thoughts that are not in `output_estimate`. */
  unseen({ thinking_estimate = 0 }: ResponseFacts): number {
    return Math.max(0, this.tokens - thinking_estimate)
  }
}
