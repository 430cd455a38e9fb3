/** Runs a load: its generator is a process of its own. */
import type { Load, Result } from './load.ts'
import { cores } from './targets.ts'

export async function loaded(load: Load): Promise<Result> {
  const child = Bun.spawn([...cores.rest, process.execPath, 'tests/bench/load.ts', JSON.stringify(load)], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  return (await new Response(child.stdout).json()) as Result
}
