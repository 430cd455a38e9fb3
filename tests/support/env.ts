/** Settings of this process, changed for one test. */
import { afterEach } from 'bun:test'
import { type Env, env } from '../../src/env.ts'

const original = { ...env }
afterEach(() => void Object.assign(env, original))

/** Changes settings until the test ends, or earlier. @returns a function that changes them back */
export function setEnv(changes: Partial<Env>): () => void {
  const before = { ...env }
  Object.assign(env, changes)
  return () => void Object.assign(env, before)
}
