/**
 * The recorded calls of every provider: `tests/providers/fixtures/<provider>/server.ts` describes its server,
 * `<case>.json` beside it a call through the gateway.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Beside,
  type Json,
  type ScriptedResponse,
  type Server,
  strictProvider,
  type Upstream,
} from './strict-provider.ts'

export interface Fixture {
  /** Fields of the channel that matter to this case. */
  channel?: Json
  asks: { path: string; body?: Json; form?: Json }
  sent: { to: string; headers?: Record<string, string>; body: Json }
  answers: ScriptedResponse
  /** Requests beside the call, by method and path, and what they are answered: tokens, uploads, polls. */
  beside?: Beside
  told: Json
  bill?: Json
  /** Whether the channel is closed after it: its key is worth nothing any more. */
  closes?: boolean
}

export interface RecordedProvider {
  name: string
  server: Server
  upstream: Upstream
  fixtures: [name: string, Fixture][]
}

const folder = join(import.meta.dir, '../../providers/fixtures')

/** Every provider, with a server of its own that listens. */
export const recordedProviders = (): Promise<RecordedProvider[]> =>
  Promise.all(
    readdirSync(folder).map(async name => {
      const { server }: { server: Server } = await import(join(folder, name, 'server.ts'))
      return {
        name,
        server,
        upstream: await (server.open ?? strictProvider)(server),
        fixtures: await fixturesOf(server.shares ?? name),
      }
    }),
  )

async function fixturesOf(name: string): Promise<[name: string, Fixture][]> {
  const files = [...new Bun.Glob('*.json').scanSync(join(folder, name))].sort()
  const texts = await Promise.all(files.map(file => Bun.file(join(folder, name, file)).json()))
  return files.map((file, index) => [file.replace('.json', ''), texts[index]])
}

/** Google's callers name it in the address. */
export const modelOf = ({ path, body, form }: Fixture['asks']): string =>
  (body ?? form)!.model ?? /models\/([^:]+)/.exec(path)![1]
