/** A maker with sliding limits, strict as makers are: what comes above them is answered with 429. */
import { now_ms } from '../../../src/process/clock.ts'
import { chat, refuses } from './chat-scripts.ts'
import type { Script } from './openai.ts'

interface MakerLimits {
  /** Requests in any minute. */
  rpm?: number
  /** Of the prompt, counted as it reports them, and the output that is asked for; in any minute. */
  tpm?: number
  concurrency?: number
  /** How long it takes to respond. */
  ms?: number
}

const MINUTE_MS = 60_000

export interface SlidingMaker {
  script: Script
  /** Users of the requests that it served, oldest first. */
  served: string[]
  /** How many it refused. */
  refused: number
  /** The most that ran at the same time. */
  most: number
}

/** @returns a maker whose requests name their user in `user` */
export function slidingMaker({ rpm = 0, tpm = 0, concurrency = 0, ms = 0 }: MakerLimits): SlidingMaker {
  const came: { at_ms: number; tokens: number }[] = []
  let running = 0
  const maker: SlidingMaker = {
    served: [],
    refused: 0,
    most: 0,
    async script(call, answer) {
      const at_ms = now_ms()
      const recent = came.filter(one => one.at_ms > at_ms - MINUTE_MS)
      const tokens = Number(call.body.max_tokens ?? 0)
      const spent = recent.reduce((sum, one) => sum + one.tokens, 0)
      const isOver =
        (rpm > 0 && recent.length >= rpm) ||
        (tpm > 0 && spent + tokens > tpm) ||
        (concurrency > 0 && running >= concurrency)
      if (isOver) {
        maker.refused++
        return refuses(429, { 'retry-after': '30' })(call, answer)
      }
      came.push({ at_ms, tokens })
      maker.served.push(String(call.body.user ?? ''))
      maker.most = Math.max(maker.most, ++running)
      if (ms) await Bun.sleep(ms)
      running--
      await chat({ usage: { prompt_tokens: 5, completion_tokens: tokens, total_tokens: 5 + tokens } })(call, answer)
    },
  }
  return maker
}

/** Jain's index of fairness: 1 where all have the same, 1/n where one has all. */
export function fairness(shares: readonly number[]): number {
  const sum = shares.reduce((total, share) => total + share, 0)
  const squares = shares.reduce((total, share) => total + share * share, 0)
  return (sum * sum) / (shares.length * squares)
}
