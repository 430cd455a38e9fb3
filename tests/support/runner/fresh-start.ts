/**
 * Between two test files of one process, which keeps the modules of the product: they take longer to evaluate than most
 * files to run. What a file has changed is put back, its database is closed, the state of the product's modules returns
 * to that of a fresh process, and the modules of the tests are evaluated anew, with their hooks and servers.
 */
import { mock } from 'bun:test'
import { resolve } from 'node:path'

const root = resolve(import.meta.dir, '../../..')
/** A call whose upstream never ends is not waited for. */
const IN_FLIGHT_MS = 2000
const environment = { ...process.env }
const globals = Object.getOwnPropertyDescriptors(globalThis)
const listeners = new Map(process.eventNames().map(name => [name, process.listeners(name)]))
const servers = new Set<Bun.Server<unknown>>()

const { serve } = Bun
Bun.serve = ((options: Parameters<typeof serve>[0]) => {
  const server = serve(options)
  servers.add(server)
  return server
}) as typeof serve

/** @param settings what the next file finds in its environment besides what all of them find */
export async function startFresh(settings: Record<string, string>) {
  mock.restore()
  for (const server of servers) await server.stop(true)
  servers.clear()
  restoreEnvironment(settings)
  restoreGlobals()
  restoreListeners()
  await resetProduct(settings)
  forgetTests()
}

function restoreEnvironment(settings: Record<string, string>) {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, environment, settings)
}

function restoreGlobals() {
  for (const name of Reflect.ownKeys(globalThis)) if (!(name in globals)) Reflect.deleteProperty(globalThis, name)
  for (const [name, descriptor] of Object.entries(globals))
    if (descriptor.configurable && Object.getOwnPropertyDescriptor(globalThis, name)?.value !== descriptor.value)
      Object.defineProperty(globalThis, name, descriptor)
}

function restoreListeners() {
  for (const name of process.eventNames())
    for (const listener of process.listeners(name))
      if (!listeners.get(name)?.includes(listener)) process.off(name, listener)
}

async function resetProduct({ DATABASE_URL, DATA_DIR }: Record<string, string>) {
  await Promise.race([workInFlight(), Bun.sleep(IN_FLIGHT_MS)])
  if (isLoaded('src/process/stores.ts')) (await import('../../../src/process/stores.ts')).resetStores()
  if (isLoaded('src/db/database.ts')) await (await import('../../../src/db/database.ts')).closeDatabase()
  if (isLoaded('src/env.ts')) Object.assign((await import('../../../src/env.ts')).env, { DATABASE_URL, DATA_DIR })
}

/** What would find the next database: bills, counts of outcomes and jobs. */
async function workInFlight() {
  if (isLoaded('src/relay/delivery/call-end.ts'))
    await (await import('../../../src/relay/delivery/call-end.ts')).callsBilled()
  if (isLoaded('src/domain/routing/health/hourly-outcomes.ts'))
    await (await import('../../../src/domain/routing/health/hourly-outcomes.ts')).flushOutcomes()
  if (isLoaded('src/cluster/leases.ts')) await (await import('../../../src/cluster/leases.ts')).jobsDone()
}

const isLoaded = (file: string) => `${root}/${file}` in require.cache

function forgetTests() {
  for (const path of Object.keys(require.cache))
    if (path.startsWith(`${root}/tests/`) && path !== import.meta.path) delete require.cache[path]
}
