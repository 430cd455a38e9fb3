/** Real clients as processes: without a terminal, in a home and a working folder of their own, with no network but loopback. */
import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ReportedTokens } from '../makers/conversation.ts'
import type { Maker } from '../makers/maker.ts'
import type { ClientPackage } from './packages.ts'

export interface Connection {
  /** Of the gateway, without a path. */
  base: string
  /** With its prefix. */
  key: string
  model: string
}

export interface ClientCommand {
  program: string
  args: string[]
  env: Record<string, string>
  /** Texts by path in the home. */
  files?: Record<string, string>
}

export interface RealClient {
  /** Unique in the grid. */
  id: string
  label: string
  package: ClientPackage
  /** The maker whose API it speaks. */
  native: Maker
  /** The model that it names for each maker; absent for the client's own choice, which the channel maps. */
  models: Partial<Record<Maker, string>>
  command(to: Connection, prompt: string): Promise<ClientCommand>
  /** Tokens by its own count. @returns undefined when it printed none */
  tokens(out: string): ReportedTokens | undefined
  /** What it shows when the context is full, and when a stream breaks. */
  messages: Record<'overflow' | 'broken', RegExp>
  /** Text of its model, or its error. */
  answer(end: { out: string; err: string }): string
}

export interface ClientEnd {
  code: number | null
  out: string
  err: string
}

export interface ClientProcess {
  /** The working folder. */
  folder: string
  ended: Promise<ClientEnd>
  /** Ends it and all that it has started. */
  kill(signal: NodeJS.Signals): void
}

/** Nothing listens there: what is not for loopback fails at once. */
const NOWHERE = 'http://127.0.0.1:9'

export const newWorkFolder = () => mkdtempSync(join(tmpdir(), 'client-'))

export async function startClient(
  { program, args, env, files = {} }: ClientCommand,
  folder: string,
): Promise<ClientProcess> {
  const home = mkdtempSync(join(tmpdir(), 'home-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    await Bun.write(join(home, path), text)
  }
  const child = Bun.spawn([program, ...args], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      TMPDIR: home,
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      ...{ HTTP_PROXY: NOWHERE, HTTPS_PROXY: NOWHERE, NO_PROXY: '127.0.0.1,localhost' },
      ...{ http_proxy: NOWHERE, https_proxy: NOWHERE, no_proxy: '127.0.0.1,localhost' },
      ...env,
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    detached: true,
  })
  const kill = (signal: NodeJS.Signals) => {
    try {
      process.kill(-child.pid, signal)
    } catch {
      // All of it has ended.
    }
  }
  const texts = [child.stdout, child.stderr].map(stream => new Response(stream).text())
  const ended = child.exited.then(async () => {
    kill('SIGKILL')
    const [out = '', err = ''] = await Promise.all(texts)
    return { code: child.exitCode, out, err }
  })
  return { folder, kill, ended }
}

/** The objects of an output with one JSON object a line. */
export function jsonLines(out: string): any[] {
  return out.split('\n').flatMap(line => {
    try {
      const value = JSON.parse(line)
      return typeof value === 'object' && value ? [value] : []
    } catch {
      return []
    }
  })
}

/** The JSON object at the end of an output. */
export function lastJson(out: string): any {
  for (let at = out.indexOf('{'); at >= 0; at = out.indexOf('{', at + 1)) {
    try {
      return JSON.parse(out.slice(at))
    } catch {
      // Not the beginning of the object.
    }
  }
}
