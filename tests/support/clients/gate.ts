/** A gateway process with the three makers behind it: the group of a key chooses the maker, whatever the model's name. */
import { afterAll } from 'bun:test'
import { type Installation, newInstallation, setUpAt, signInAt, startAt } from '../app/installation.ts'
import { run, type Server } from '../app/server.ts'
import { type Maker, type MakerServer, MakerServer as Mock, makers } from '../makers/maker.ts'
import { until } from '../until.ts'

type Json = Record<string, any>

/** Models that clients of these tests name, by maker; each maker's first serves the names of the others. */
const models: Record<Maker, string[]> = {
  openai: ['gpt-5.1', 'gpt-4o-mini', 'gpt-5.4-nano'],
  anthropic: [
    ...[
      'claude-opus-4-8',
      'claude-opus-5-5',
      'claude-opus-5',
      'claude-sonnet-4-5',
      'claude-sonnet-4-6',
      'claude-haiku-4-5',
    ],
    ...['claude-haiku-4-5-20251001'],
  ],
  gemini: [
    'gemini-3.1-pro-preview',
    'gemini-3-pro-preview',
    'gemini-2.5-pro',
    'gemini-2.5-flash',
    'gemini-3.5-flash-lite',
    'gemini-3.8-flash',
  ],
}
const types: Record<Maker, number> = { openai: 1, anthropic: 14, gemini: 24 }

export interface GateKey {
  id: number
  name: string
  /** With its prefix. */
  key: string
}

export interface LoggedCalls {
  calls: number
  prompt: number
  output: number
  quota: number
}

export class Gate {
  #keys = 0

  private constructor(
    readonly server: Server,
    readonly mocks: Record<Maker, MakerServer & { url: string; stop(): void }>,
    private place: Installation,
    private headers: Record<string, string>,
  ) {}

  get url() {
    return this.server.url
  }

  static async open(): Promise<Gate> {
    const mocks = {} as Gate['mocks']
    for (const maker of makers) mocks[maker] = await Mock.start(maker)
    afterAll(() => makers.forEach(maker => void mocks[maker].stop()))
    const place = await newInstallation()
    const server = await startAt(place)
    await setUpAt(server)
    const { headers } = await signInAt(server)
    const gate = new Gate(server, mocks, place, headers)
    await gate.#setOptions()
    for (const maker of makers) await gate.#addChannel(maker)
    return gate
  }

  /** A key whose calls go to this maker. */
  async keyFor(maker: Maker, fields: Json = {}): Promise<GateKey> {
    const name = `${maker} ${++this.#keys}`
    const { id, key } = await this.#post('/api/token/', { name, unlimited_quota: true, group: maker, ...fields })
    return { id, name, key: `sk-${key}` }
  }

  /** The API page with a client's guide, this key put in. */
  async guidePage(client: string, { id }: GateKey): Promise<string> {
    const path = `/docs/api?client=${client}`
    const page = await (await fetch(this.url + path, { headers: this.headers })).text()
    const csrf = /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? ''
    const body = new URLSearchParams({ csrf, key: String(id), returnTo: path })
    return (await fetch(`${this.url}/docs/api/key`, { method: 'POST', headers: this.headers, body })).text()
  }

  /** Sums of the bills of a key, once it has so many. */
  logged({ name }: GateKey, calls: number): Promise<LoggedCalls> {
    const sum = (entries: Json[], column: string) => entries.reduce((total, entry) => total + Number(entry[column]), 0)
    return until(async () => {
      const entries = (await this.place.read(
        `select prompt_tokens, completion_tokens, quota from logs where type = 2 and token_name = '${name}'`,
      )) as Json[]
      if (entries.length < calls) return
      const [prompt, output] = [sum(entries, 'prompt_tokens'), sum(entries, 'completion_tokens')]
      return { calls: entries.length, prompt, output, quota: sum(entries, 'quota') }
    })
  }

  /** Output of `tollgate audit --bills`. */
  async audit(): Promise<string> {
    const { out, err } = await run(['audit', '--bills'], this.place)
    return (out + err).trim()
  }

  async #setOptions() {
    const groups = Object.fromEntries(makers.map(maker => [maker, 1]))
    const labels = Object.fromEntries(makers.map(maker => [maker, maker]))
    await this.#post('/api/option/', { key: 'GroupRatio', value: JSON.stringify({ default: 1, ...groups }) }, 'PUT')
    await this.#post(
      '/api/option/',
      { key: 'UserUsableGroups', value: JSON.stringify({ default: 'Default', ...labels }) },
      'PUT',
    )
    await this.#post('/api/option/', { key: 'fallback_input_ratio', value: '1' }, 'PUT')
    await this.#post('/api/option/', { key: 'fallback_completion_ratio', value: '4' }, 'PUT')
    await this.#post('/api/option/', { key: 'fallback_pricing_enabled', value: true }, 'PUT')
  }

  #addChannel(maker: Maker) {
    const others = makers.filter(other => other !== maker).flatMap(other => models[other])
    return this.#post('/api/channel/', {
      ...{ name: maker, type: types[maker], key: 'sk-upstream', base_url: this.mocks[maker].url, group: maker },
      models: makers.flatMap(one => models[one]).join(','),
      model_mapping: JSON.stringify(Object.fromEntries(others.map(name => [name, models[maker][0]]))),
    })
  }

  async #post(path: string, body: Json, method = 'POST'): Promise<Json> {
    const response = await fetch(this.url + path, { method, headers: this.headers, body: JSON.stringify(body) })
    const { success, message, data } = (await response.json()) as Json
    if (!success) throw new Error(`${path} ${JSON.stringify(body)}: ${message}`)
    return [data].flat()[0]
  }
}
