/** A process of Bun with all that it starts. */

export type Ran = {
  /** The exit code, or the signal that ended it. */
  end: number | string | null
  /** It was ended because it took too long. */
  hung: boolean
  output: string
  seconds: number
}

const running = new Set<Bun.Subprocess>()

/** Lengths and seeds of the long tests, such as FLOOD_SECONDS and MONEY_SEED. */
const ofLongTests =
  /^(?:(?:CUT|FLOOD|FUZZ|HISTORY|IMPORT|MANY|MODEL|MONEY|TASK|TIME_MACHINE)_|(?:DATABASE_RESTARTS|LOST_COMMITS|MOVE_ROWS|NODE_KILLS|PAUSE_SECONDS)$)/

/** The developer's own settings must not reach the tests. */
export function plainEnvironment(): Record<string, string> {
  const keep = ['PATH', 'HOME', 'USER', 'LANG', 'LD_LIBRARY_PATH']
  const kept = Object.entries(process.env).filter(([name]) => keep.includes(name) || ofLongTests.test(name))
  return Object.fromEntries(kept) as Record<string, string>
}

/** Runs until the process ends, then ends what it started. */
export async function runGroup(command: string[], env: Record<string, string>, cap_seconds: number): Promise<Ran> {
  const clock = performance.now()
  const child = Bun.spawn([process.execPath, ...command], { env, stdout: 'pipe', stderr: 'pipe', detached: true })
  running.add(child)
  let hung = false
  const cap = setTimeout(() => {
    hung = true
    closeGroup(child)
  }, cap_seconds * 1000)
  const [out, err] = await Promise.all([textOf(child.stdout), textOf(child.stderr), child.exited])
  clearTimeout(cap)
  closeGroup(child)
  const seconds = (performance.now() - clock) / 1000
  return { end: child.exitCode ?? child.signalCode, hung, output: `${out}${err}`, seconds }
}

export function closeGroups() {
  for (const child of running) closeGroup(child)
}

function closeGroup(child: Bun.Subprocess) {
  running.delete(child)
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // Nothing of it is left: the usual case.
  }
}

export const textOf = (stream: ReadableStream) => new Response(stream).text()
