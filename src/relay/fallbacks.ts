/** Groups and models that a call falls back to, in order, while those before cannot serve it. */
import type { ServingStep } from '../contracts/fallback-model.ts'
import { Refusal } from '../contracts/refusal.ts'
import { recordRefusedCall } from '../domain/logs/index.ts'
import { fallbackSteps, groupsOf, hasGroupLists } from '../domain/tokens/index.ts'
import { now } from '../process/clock.ts'
import type { ReadCall } from './call.ts'
import type { ApiCaller } from './caller.ts'
import type { CallEnd } from './delivery/call-end.ts'
import { isWithoutChannel, mayFallBack, moreTelling, whyPassedOver } from './errors/passed-over.ts'
import { type PreparedCall, prepare } from './prepare.ts'
import { mayUseGroup, modelRefusal } from './request/access-rules.ts'
import { CanonicalForm } from './request/canonical-form.ts'
import { candidates } from './upstream/candidates.ts'
import { dispatch, type Send } from './upstream/dispatch.ts'
import { fallbackModels, hasFallbackModels, MODELS, mayChangeModel, withoutList } from './upstream/fallback-models.ts'
import { overridden } from './upstream/override-facts.ts'
import { mayRetry } from './upstream/retry-budget.ts'

/** Whether a call may have more than one group and one model, as nearly none has. */
export const mayHaveFallbacks = (read: ReadCall, { token, session, group, channel_id }: ApiCaller): boolean =>
  channel_id === undefined &&
  (token.fallback_groups !== '' ||
    token.fallback_models !== '' ||
    read.body[MODELS] !== undefined ||
    (hasGroupLists(group) && !session))

/**
 * The requested model in each group of the key, then each further model.
 * @returns undefined where that is one group and one model
 * @throws Refusal 400 or 403 for a list of the request with a model that may not serve the call
 */
export async function fallbacksOf(read: ReadCall, caller: ApiCaller): Promise<Fallbacks | undefined> {
  const groups = groupsOf(caller)
  const usable = groups.filter(group => mayUseGroup(caller.user, group))
  const isListed = hasFallbackModels(read)
  const requested = isListed ? await fallbackModels(read, caller, usable) : undefined
  // In the playground a person has chosen the model.
  const isFixed = !mayChangeModel(read) || caller.session !== undefined
  const steps = fallbackSteps(caller, read.facts.model, requested ?? (isFixed ? [] : undefined))
  return steps.length > 1 ? new Fallbacks(read, caller, steps, isListed) : undefined
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
    private readonly options: readonly ServingStep[],
    /** Whether the request has a list, and the models are of it. */
    private readonly isListed: boolean,
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

  async #prepared({ group, model }: ServingStep): Promise<PreparedCall> {
    const { read } = this
    const caller = { ...this.caller, group }
    const isTried = ({ id }: { id: number }) => this.#tried.has(`${id} ${model}`)
    if (!mayUseGroup(caller.user, group)) throw new Refusal('relay.group_forbidden', { group }, 403)
    const forbidden = modelRefusal(caller, model)
    // `models` of the request may name a model as its maker does.
    if (forbidden && !this.isListed) throw forbidden
    read.recorder.restart()
    if (model !== read.facts.model) return prepare(withModel(read, model), caller, isTried)
    try {
      return await prepare({ ...read }, caller, isTried)
    } catch (error) {
      // No channel chooses among the models itself: the list is ours alone.
      const isOfList = error instanceof Refusal && error.status === 400 && error.field === MODELS
      if (!isOfList || !this.isListed || !this.#hasModels) throw error
      read.recorder.restart()
      return prepare(withModel(read, model), caller, isTried)
    }
  }

  get #hasModels(): boolean {
    return this.options.at(-1)!.model !== this.read.facts.model
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
        if (isLast || !mayFallBack(error) || call.departure.hasLeft) throw this.#moreTelling(error)
        const asked = call.attempts.all.slice(asked_before)
        if (asked.length && !mayRetry()) throw error
        const option = this.options[this.#next - 1]!
        for (const { channel } of asked) this.#tried.add(`${channel} ${option.model}`)
        this.#passOver(option, error)
        await reservation.giveBack()
        end.moveTo(await this.prepare().catch(failure => this.#recordUnserved(end, failure)))
      }
    }
  }

  /** A call that has been sent, and that none of the others can serve: it holds nothing by now. @throws the failure */
  #recordUnserved({ billable: { call, caller } }: CallEnd, failure: unknown): never {
    const { request_id, recorder, attempts } = call
    if (attempts.passed_over?.some(({ why }) => why === 'unpaid')) recorder.meet('unpaid')
    const record = recorder.recordOf(call)?.()
    if (record) recordRefusedCall({ request_id, user_id: caller.user.id, created_at: now(), record })
    throw failure
  }

  #passOver(option: ServingStep, error: unknown) {
    const { attempts } = this.read
    attempts.passed_over = [...(attempts.passed_over ?? []), { ...option, why: whyPassedOver(error)! }]
    this.#failure = this.#moreTelling(error)
  }

  /** @param error of the option that was tried last */
  #moreTelling(error: unknown): unknown {
    const { model } = this.options[this.#next - 1]!
    return moreTelling(this.#failure, error, model !== this.read.facts.model)
  }
}

/** The call with another model, and without the list. @throws Refusal 400 where the model cannot be asked like this */
function withModel(read: ReadCall, model: string): ReadCall {
  const { endpoint, body: sent } = read
  const body = { ...withoutList(sent), model }
  const facts = endpoint.format.readFacts(body)
  if ('code' in facts) throw new Refusal(facts.code, facts.params, 400, facts.param ?? undefined)
  const { stream, wants_usage, background } = read.facts
  const canonical = new CanonicalForm(endpoint.format, body)
  return { ...read, body, canonical, facts: { ...facts, stream, wants_usage, background } }
}

const mayPass = (error: unknown) => isWithoutChannel(error) || whyPassedOver(error) === 'forbidden'
