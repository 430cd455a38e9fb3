/**
 * All attacks at once, as a process of its own: they take no time of the loop of those whom they disturb.
 * `bun tests/support/attacks/flood.ts FLOOD` goes on until its standard input ends, then prints what came back.
 */
import { idleUploads } from './idle-uploads.ts'
import { stalledReaders } from './stalled-readers.ts'
import { wrongSignIns } from './wrong-sign-ins.ts'

export interface Flood {
  url: string
  keys: string[]
  /** Of the model with the long answer. */
  model: string
  uploads: number
  readers: number
  guesses: Parameters<typeof wrongSignIns>[1]
}

/** What came back, by attack and status. */
export type FloodReport = Record<'uploads' | 'readers' | 'guesses', Record<string, number>>

/** Begins it in another process. @returns what ends it */
export function startFlood(flood: Flood): () => Promise<FloodReport> {
  const child = Bun.spawn([process.execPath, import.meta.path, JSON.stringify(flood)], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  return async () => {
    child.stdin.end()
    return (await new Response(child.stdout).json()) as FloodReport
  }
}

async function run({ url, keys, model, uploads, readers, guesses }: Flood): Promise<FloodReport> {
  const attacks = {
    uploads: idleUploads(url, keys, uploads),
    readers: stalledReaders(url, keys, readers, { model, max_tokens: 10_000 }),
    guesses: wrongSignIns(url, guesses),
  }
  for await (const _ of Bun.stdin.stream());
  for (const attack of Object.values(attacks)) attack.stop()
  return { uploads: attacks.uploads.seen, readers: attacks.readers.seen, guesses: attacks.guesses.seen }
}

if (import.meta.main) {
  process.stdout.write(JSON.stringify(await run(JSON.parse(process.argv[2]!))))
  process.exit(0)
}
