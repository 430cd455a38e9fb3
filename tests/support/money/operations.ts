/** Operations that move money, all at once on one site, and which of them the site has acknowledged. */
import { expect } from 'bun:test'
import { ask } from '../app/site.ts'
import type { Payment } from '../epay/merchant.ts'
import { UNIT } from '../epay/remote-shop.ts'
import { addMembers, type Member, send, sendWell } from '../people/member.ts'
import { until } from '../until.ts'
import { apiKeys, CHECK_IN, inviter, MODEL, members, place, root, shop, urlNow } from './server.ts'

const CALLERS = 8
const CREDITORS = 6
/** Quota of a code. */
const CODE = 30
const CODES_PER_REQUEST = 100
const VISITORS_AT_ONCE = 500

interface Credit {
  kind: 'redeem' | 'topup' | 'transfer' | 'check_in'
  member: Member
  quota: number
  /** Sends the request, the same each time. @returns whether it is acknowledged */
  send(): Promise<boolean>
  isAcknowledged: boolean
}

export const credits: Credit[] = []
/** By the number of the question. */
export const calls: { isWhole: boolean; caller: Member }[] = [{ isWhole: false, caller: inviter }]

const codes: string[] = []
/** Each checks in once. */
const visitors: Member[] = []

/** Codes and visitors for one round of operations. */
export async function stock() {
  while (codes.length < CODES_PER_REQUEST) {
    const body = { name: 'code', quota: CODE, count: CODES_PER_REQUEST }
    codes.push(...(await sendWell(urlNow(), root, '/api/redemption/', { body })).data)
  }
  if (visitors.length < CODES_PER_REQUEST)
    visitors.push(...(await addMembers(place, `visitor${credits.length}x`, VISITORS_AT_ONCE)))
}

type Part = Pick<Credit, 'quota' | 'send'> & { member?: Member }

const makers: Record<Credit['kind'], (member: Member, key: string) => Part> = {
  redeem: (member, key) => {
    const body = { key: codes.pop()! }
    return { quota: CODE, send: () => isDone(member, '/api/user/topup', body, key) }
  },
  topup: (member, key) => {
    let payment: Payment | undefined
    const send = async () => {
      payment ??= await shop.order(urlNow(), member, 1, key)
      return (await callBack(payment)) === 'success'
    }
    return { quota: UNIT, send }
  },
  transfer: (member, key) => ({
    quota: UNIT,
    send: () => isDone(member, '/api/user/aff_transfer', { quota: UNIT }, key),
  }),
  check_in: (_, key) => {
    const member = visitors.pop()!
    return { member, quota: CHECK_IN, send: () => isDone(member, '/api/user/check_in', {}, key) }
  },
}
const kinds = Object.keys(makers) as Credit['kind'][]

const isDone = async (member: Member, path: string, body: object, key: string) =>
  (await send(urlNow(), member, path, { body, key })).success

/** What the callback of a payment is answered. */
export const callBack = async (payment: Payment) => (await fetch(urlNow() + shop.callbackOf(payment))).text()

/** A broken connection is no acknowledgement. */
const isTrue = (work: Promise<boolean>) => work.catch(() => false)

type Random = (limit: number) => number

async function creditUntil(isOver: () => boolean, random: Random) {
  while (!isOver() && codes.length && visitors.length) {
    const kind = kinds[random(kinds.length)]!
    const member = members[random(members.length)]!
    const credit: Credit = { kind, member, ...makers[kind](member, crypto.randomUUID()), isAcknowledged: false }
    credits.push(credit)
    credit.isAcknowledged = await isTrue(credit.send())
  }
}

async function callUntil(isOver: () => boolean, random: Random) {
  while (!isOver()) {
    const which = random(members.length)
    const id = calls.push({ isWhole: false, caller: members[which]! }) - 1
    const question = { model: MODEL, stream: id % 2 === 0, content: String(id) }
    calls[id]!.isWhole = await isTrue(ask(urlNow(), apiKeys[which]!, question).then(({ whole }) => whole))
  }
}

/** Starts callers and creditors. @returns what stops them and waits for their end */
export function startOperations(random: Random): () => Promise<void> {
  let over = false
  const isOver = () => over
  const workers = [
    ...Array.from({ length: CALLERS }, () => callUntil(isOver, random)),
    ...Array.from({ length: CREDITORS }, () => creditUntil(isOver, random)),
  ]
  return async () => {
    over = true
    await Promise.all(workers)
  }
}

/** A top-up that is ordered, and not yet called back. */
export async function orderTopUp(member: Member): Promise<Credit> {
  const payment = await shop.order(urlNow(), member, 1)
  const send = async () => (await callBack(payment)) === 'success'
  const credit: Credit = { kind: 'topup', member, quota: UNIT, send, isAcknowledged: false }
  credits.push(credit)
  return credit
}

/** Adds a top-up that was ordered and paid besides. */
export const addTopUp = (member: Member) =>
  credits.push({ kind: 'topup', member, quota: UNIT, send: async () => true, isAcknowledged: true })

/** Repeats what was not acknowledged, until it is, and once more. */
export async function repeat() {
  for (const credit of credits.filter(({ isAcknowledged }) => !isAcknowledged)) {
    await until(() => isTrue(credit.send()))
    expect([credit.kind, await credit.send()]).toEqual([credit.kind, true])
    credit.isAcknowledged = true
  }
}
