/** Groups and models that a call falls back to, in order, while those before cannot serve it. */
import type { PassedGroup } from '../contracts/log.ts'
import { Refusal } from '../contracts/refusal.ts'
import type { ReadCall } from './call.ts'
import type { ApiCaller } from './caller.ts'
import type { CallEnd } from './delivery/call-end.ts'
import { isWithoutChannel, mayFallBack, moreTelling, whyPassedOver } from './errors/passed-over.ts'
import { type PreparedCall, prepare } from './prepare.ts'
import { groupsOf, mayUseGroup } from './request/access-rules.ts'
import { candidates } from './upstream/candidates.ts'
import { dispatch, type Send } from './upstream/dispatch.ts'
import { overridden } from './upstream/override-facts.ts'
import { mayRetry } from './upstream/retry-budget.ts'

/** A group in which a call may be served, and the model that serves it there. */
type Option = Pick<PassedGroup, 'group' | 'model'>

/** @returns undefined for a call that has one group and one model, as nearly all have */
export function fallbacksOf(read: ReadCall, caller: ApiCaller): Fallbacks | undefined {
  if (!caller.token.fallback_groups || caller.channel_id !== undefined) return undefined
  const { model } = read.facts
  const options = groupsOf(caller).map(group => ({ group, model }))
  return options.length > 1 ? new Fallbacks(read, caller, options) : undefined
}

/** The caller in the first of the key's groups that has a channel for the call; as it is where none has. */
export async function inServingGroup(read: ReadCall, caller: ApiCaller): Promise<ApiCaller> {
  if (!caller.token.fallback_groups) return caller
  for (const group of groupsOf(caller).filter(group => mayUseGroup(caller.user, group))) {
    const own = { ...caller, group }
    try {
      await candidates(read, own)
      return own
    } catch (error) {
      if (!isWithoutChannel(error)) throw error
    }
  }
  return caller
}

export class Fallbacks {
  #next = 0
  #current: PreparedCall | undefined
  /** Of those that were passed over the failure that the client gets where nothing serves the call. */
  #failure: unknown
  /** Channels that have failed, with the model. */
  readonly #tried = new Set<string>()

  constructor(
    private readonly read: ReadCall,
    private readonly caller: ApiCaller,
    private readonly options: readonly Option[],
  ) {}

  /** The first that can serve the call; those before the next are passed over. @throws Refusal or Fault */
  async prepare(): Promise<PreparedCall> {
    while (this.#next < this.options.length) {
      const option = this.options[this.#next++]!
      try {
        this.#current = await this.#prepared(option)
        return this.#current
      } catch (error) {
        // What is wrong with the call itself is wrong in each group.
        const isOwn = !this.#failure && !mayPass(error)
        if (isOwn || !whyPassedOver(error)) throw error
        this.#passOver(option, error)
      }
    }
    throw this.#failure
  }

  #prepared({ group, model }: Option): Promise<PreparedCall> {
    const { read, caller } = this
    if (!mayUseGroup(caller.user, group)) throw new Refusal('relay.group_forbidden', { group }, 403)
    read.recorder.restart()
    const call = { ...read, facts: { ...read.facts, model } }
    return prepare(call, { ...caller, group }, ({ id }) => this.#tried.has(`${id} ${model}`))
  }

  /** Sends the call to its channels, and to those of the next while it may fall back. @throws as `dispatch` */
  async ask<T>(end: CallEnd, send: Send<T>): Promise<T> {
    for (;;) {
      const { call, reservation } = end.billable
      const asked_before = call.attempts.all.length
      // A task has its group and its price in its row.
      const isLast = this.#next === this.options.length || call.endpoint.is_task === true
      try {
        return await dispatch(end.billable, this.#current!.channels, overridden(end.billable, send), isLast)
      } catch (error) {
        if (isLast || !mayFallBack(error) || call.departure.hasLeft) throw moreTelling(this.#failure, error)
        const asked = call.attempts.all.slice(asked_before)
        if (asked.length && !mayRetry()) throw error
        const option = this.options[this.#next - 1]!
        for (const { channel } of asked) this.#tried.add(`${channel} ${option.model}`)
        this.#passOver(option, error)
        await reservation.giveBack()
        end.moveTo(await this.prepare())
      }
    }
  }

  #passOver(option: Option, error: unknown) {
    const { attempts } = this.read
    attempts.passed_over = [...(attempts.passed_over ?? []), { ...option, why: whyPassedOver(error)! }]
    this.#failure = moreTelling(this.#failure, error)
  }
}

const mayPass = (error: unknown) => isWithoutChannel(error) || whyPassedOver(error) === 'forbidden'
