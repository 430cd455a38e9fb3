/**
 * A strict server of videos in the wire of one maker: it takes submits, tells of its tasks and hands out their files, by
 * the scenario that a test names.
 */
import { afterAll } from 'bun:test'
import { listen, type Received, type ScriptedAnswer } from '../http-server.ts'
import type { Json } from '../strict-provider.ts'

/** How the server behaves. */
export type Scenario =
  | 'ok'
  | 'fail'
  | 'reject'
  | 'lost'
  | 'slow'
  | 'unknown'
  | 'garbage'
  | '429'
  | 'short'
  | 'long'
  | 'absurd'
  | 'flip'
  | 'late'
  | 'empty'

/** How far a task is, for a wire to say it in the words of its maker. */
export interface ToldVideo {
  id: string
  status: 'queued' | 'running' | 'done' | 'failed'
  percent: number
  /** What was asked for. */
  request: Json
  /** By the server's word. */
  seconds: number
  /** Address of the file; empty for none. */
  url: string
  reason: string
}

/** A request as it came. */
export interface VideoCall {
  method: string
  /** With its query. */
  target: string
  headers: Record<string, string>
  body: Json
  text: string
}

/** One maker's way to speak. */
export interface VideoWire {
  /** Of the channel. */
  channel: { type: number; key: string; other?: string }
  model: string
  /** What a client asks for, beside model and prompt. */
  request: Json
  /** Seconds of that. */
  seconds: number
  /** Seconds of any other request. */
  secondsIn?(body: Json): number
  /** What is wrong with the way in which a request is authenticated. */
  authFlaw(call: VideoCall): string | undefined
  /** Method and path of a submit. */
  submits: RegExp
  /** What is wrong with a submit. */
  submitFlaw(call: VideoCall): string | undefined
  /** Answer to a submit. */
  accepted(id: string): unknown
  refused: { status: number; body: unknown }
  /** @returns the id that is asked for; undefined for another request */
  asksFor(call: VideoCall): string | undefined
  told(video: ToldVideo): unknown
  unknown: { status: number; body: unknown }
  /** Answers other requests; @returns whether it did. */
  beside?(call: VideoCall, answer: ScriptedAnswer, url: string): boolean | Promise<boolean>
  /** The maker's answers name no length, so that a shorter video costs the same. */
  tells_no_length?: true
}

/** A file of a few bytes. */
export const FILM = Buffer.from('....ftypisom a film of a toll gate')

const PATIENCE = 3

export async function videoServer(wire: VideoWire) {
  const calls: VideoCall[] = []
  const complaints: string[] = []
  const requests = new Map<string, Json>()
  const polls = new Map<string, number>()
  let scenario: Scenario = 'ok'
  let made = 0

  const complain = (answer: ScriptedAnswer, text: string) => {
    complaints.push(text)
    return answer.json({ error: { message: text } }, 400)
  }

  async function submit(call: VideoCall, answer: ScriptedAnswer) {
    const flaw = wire.submitFlaw(call)
    if (flaw) return complain(answer, flaw)
    if (scenario === 'reject') return answer.json(wire.refused.body, wire.refused.status)
    const id = `made-${++made}`
    requests.set(id, call.body)
    if (scenario === 'lost') return answer.reset()
    return answer.json(wire.accepted(id))
  }

  async function tell(id: string, answer: ScriptedAnswer) {
    const times = (polls.get(id) ?? 0) + 1
    polls.set(id, times)
    if (scenario === 'garbage') return html(answer)
    if (scenario === 'unknown' || !requests.has(id)) return answer.json(wire.unknown.body, wire.unknown.status)
    if (scenario === '429' && times <= 2) return answer.json({ error: { message: 'later' } }, 429)
    return answer.json(wire.told(video(id, scenario === '429' ? times - 2 : times)))
  }

  function video(id: string, times: number): ToldVideo {
    const request = requests.get(id)!
    const asked = wire.secondsIn?.(request) ?? wire.seconds
    const base = { id, request, percent: 35, seconds: asked, url: '', reason: '' }
    if (times === 1) return { ...base, status: 'queued', percent: 0 }
    if (scenario === 'fail') return { ...base, status: 'failed', percent: 100, reason: 'the prompt is not allowed' }
    const isRunning =
      scenario === 'slow' || times < PATIENCE || (scenario === 'flip' && times > PATIENCE) || scenario === 'late'
    if (isRunning) return { ...base, status: 'running' }
    const seconds = asked * (factors[scenario] ?? 1)
    const url = scenario === 'empty' ? '' : `${url_}/files/${id}.mp4`
    return { ...base, status: 'done', percent: 100, seconds, url }
  }

  const server = await listen(async (received, answer) => {
    const call = callOf(received)
    calls.push(call)
    const path = `${call.method} ${call.target}`
    if (call.target.startsWith('/files/')) return void (await film(call, answer))
    const flaw = wire.authFlaw(call)
    if (flaw) return void (await answer.json({ error: { message: flaw } }, 401))
    if (await wire.beside?.(call, answer, url_)) return
    if (wire.submits.test(path)) return void (await submit(call, answer))
    const id = wire.asksFor(call)
    if (id === undefined) return void (await complain(answer, `no such path: ${path}`))
    await tell(id, answer)
  })
  afterAll(() => server.stop())
  const url_ = `http://127.0.0.1:${server.port}`

  return {
    url: url_,
    calls,
    complaints,
    submits: () => calls.filter(call => wire.submits.test(`${call.method} ${call.target}`)),
    plays(next: Scenario) {
      scenario = next
      calls.length = complaints.length = 0
    },
  }
}

/** What was made, by what was asked for. */
const factors: Partial<Record<Scenario, number>> = { short: 0.5, long: 2, absurd: 1000 }

export type VideoServer = Awaited<ReturnType<typeof videoServer>>

const html = (answer: ScriptedAnswer) =>
  answer
    .head(200, { 'content-type': 'text/html' }, 'close')
    .then(() => answer.write('<html>busy</html>'))
    .then(() => answer.end())

/** A server of files: it knows no keys, and it knows ranges. */
export async function film(call: VideoCall, answer: ScriptedAnswer) {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(call.headers.range ?? '') ?? []
  const type = { 'content-type': 'video/mp4', 'accept-ranges': 'bytes' }
  if (from === undefined) {
    await answer.head(200, type, FILM.length)
    return answer.write(FILM)
  }
  const part = FILM.subarray(Number(from), Number(to) + 1)
  await answer.head(206, { ...type, 'content-range': `bytes ${from}-${to}/${FILM.length}` }, part.length)
  await answer.write(part)
}

/** A picture of a few bytes. */
export async function thumbnail(answer: ScriptedAnswer) {
  const picture = Buffer.from('\x89PNG\r\n\x1a\n a toll gate', 'latin1')
  await answer.head(200, { 'content-type': 'image/png' }, picture.length)
  await answer.write(picture)
}

function callOf({ method, target, headers, body }: Received): VideoCall {
  const isJson = headers['content-type'] === 'application/json'
  return { method, target, headers, text: body, body: isJson && body ? JSON.parse(body) : {} }
}

/** What is wrong with a body: fields that are missing, and that the maker does not know. */
export function fieldFlaw(body: Json, needed: string[], known: string[]): string | undefined {
  const missing = needed.filter(name => body[name] === undefined)
  const strange = Object.keys(body).filter(name => !needed.includes(name) && !known.includes(name))
  return missing.length || strange.length ? `missing: ${missing}; strange: ${strange}` : undefined
}

export const bearerFlaw = (key: string) => (call: VideoCall) =>
  call.headers.authorization === `Bearer ${key}` ? undefined : 'wrong key'
