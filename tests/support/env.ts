/** Settings of this process, changed for one test. */
import { afterEach } from 'bun:test'
import { type Env, env } from '../../src/env.ts'

const original = { ...env }
afterEach(() => assignAll(original))

/** Settings that are not given are absent again. */
function assignAll(settings: Env) {
  for (const name of Object.keys(env)) if (!(name in settings)) delete env[name as keyof Env]
  Object.assign(env, settings)
}

/** Changes settings until the test ends, or earlier. @returns a function that changes them back */
export function setEnv(changes: Partial<Env>): () => void {
  const before = { ...env }
  Object.assign(env, changes)
  return () => assignAll(before)
}
