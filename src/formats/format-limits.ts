/** What a chat format cannot carry, and who can open what only its owner understands. */
import type { HostedOffer, Owner, Tool } from './canonical/chat.ts'
import type { Losses } from './translate/losses.ts'

export interface FormatLimits {
  /** The provider whose file ids and signatures the format carries; absent where it carries none. */
  owner?: Owner
  /** @returns the stop sequences that the upstream accepts; the gateway looks for the others itself */
  stop(sequences: string[], model: string): string[]
  tool_name: ToolNameLimit
  /**
   * @param tools of the request
   * @returns the hosted tools of other formats that have a counterpart for the model; none unless declared
   */
  hosted?(model: string, tools: readonly Tool[]): readonly HostedOffer[]
  /** A request can force one hosted tool beside others. */
  forces_hosted?: true
  /** Accepts URLs of videos although it refuses URLs of other files. */
  video_urls?: boolean
  losses: Losses
}

export interface ToolNameLimit {
  /** Characters. */
  max: number
  /** Characters that are replaced by `_`. */
  refused: RegExp
  /** What a name begins with; `_` is put before any other. */
  begins?: RegExp
}
