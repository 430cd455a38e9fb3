/** Rotation: a token gets a new key and keeps its settings, its usage and its history. */
import { announce } from '../../cluster/changes.ts'
import type { Actor } from '../../contracts/actor.ts'
import { notFound } from '../../contracts/refusal.ts'
import type { Token } from '../../contracts/token.ts'
import { atomic, run } from '../../db/atomic.ts'
import { recordChange } from '../audit-log/index.ts'
import { announceKeys } from './lookup.ts'
import { newKey, own, viewOf } from './service.ts'
import { tokens } from './table.ts'

/** The key before is refused from now on, also for calls that run with it. @throws Refusal 404 */
export async function rotateToken(owner: Actor, id: number): Promise<Token> {
  const row = await atomic(function* (tx) {
    const [rotated] = yield* run(tx.update(tokens).set(newKey()).where(own(owner.id, id)).returning())
    if (!rotated) throw notFound('token.not_found')
    const target = { kind: 'token', id, name: rotated.name }
    yield* recordChange(tx, owner, {
      action: 'token.rotate',
      target,
      after: { key: rotated.key_tail },
      secrets: ['key'],
    })
    yield* announce(tx, 'token', [id])
    yield* announceKeys(tx, [rotated])
    return rotated
  })
  return viewOf(row)
}
