/** A real Tollgate process on a private port and a folder of its own. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Nothing is timed: whoever has not started by then never will. */
const START_MS = 200_000

export interface Server {
  url: string
  folder: string
  process: Bun.Subprocess
  /** All that it has written so far. */
  output(): string
  /** Sends a signal and waits for the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number>
}

interface Settings {
  /** The data folder; a new one when left out. */
  folder?: string
  env?: Record<string, string>
  command?: string[]
  /** The folder in which the command runs. */
  cwd?: string
  /** What the command is told: to serve, unless it is said otherwise. */
  args?: string[]
  /** Leads a process group of its own, as a shell's job and a service do. */
  detached?: boolean
}

export const newFolder = () => mkdtempSync(join(tmpdir(), 'tollgate-server-'))

/** The executable that `tests/run.ts` has built; the sources when a test file is run by itself. */
export const program = process.env.TOLLGATE_PROGRAM ? [process.env.TOLLGATE_PROGRAM] : [process.execPath, 'src/main.ts']

/** Runs a command to its end. */
export async function run(args: string[], { folder = newFolder(), env = {}, command = program, cwd }: Settings = {}) {
  const child = spawn([...command, ...args], folder, env, { cwd })
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), child.exited])
  return { code, out, err }
}

const text = (stream: ReadableStream<Uint8Array>) => new Response(stream).text()

/** Starts `serve` and waits until it answers. @throws with the output when it stops instead. */
export async function startServer({
  folder = newFolder(),
  env = {},
  command = program,
  args = ['serve'],
  detached = false,
}: Settings = {}): Promise<Server> {
  const child = spawn([...command, ...args], folder, env, { detached })
  let written = ''
  for (const stream of [child.stdout, child.stderr]) void collect(stream, chunk => (written += chunk))
  const url = await addressIn(() => written, child)
  return {
    url,
    folder,
    process: child,
    output: () => written,
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      return child.exited
    },
  }
}

function spawn(
  command: string[],
  folder: string,
  env: Record<string, string>,
  more: { cwd?: string; detached?: boolean },
) {
  const { PATH = '', HOME = '' } = process.env
  return Bun.spawn(command, {
    env: { PATH, HOME, DATA_DIR: folder, PORT: '0', HOST: '127.0.0.1', ...noLimits, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
    ...more,
  })
}

const noLimits = { GLOBAL_API_RATE_LIMIT: '0', GLOBAL_WEB_RATE_LIMIT: '0', CRITICAL_RATE_LIMIT: '0' }

async function collect(stream: ReadableStream<Uint8Array>, take: (chunk: string) => void) {
  const decoder = new TextDecoder()
  for await (const chunk of stream) take(decoder.decode(chunk, { stream: true }))
}

async function addressIn(written: () => string, child: Bun.Subprocess): Promise<string> {
  const until = performance.now() + START_MS
  while (performance.now() < until) {
    const address = /listening on (http:\S+)/.exec(written())?.[1]
    if (address) return address
    if (child.exitCode !== null) break
    await Bun.sleep(5)
  }
  child.kill('SIGKILL')
  throw new Error(`the server did not start:\n${written()}`)
}
