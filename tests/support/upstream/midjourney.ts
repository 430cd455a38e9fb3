/**
 * A strict server of Midjourney Proxy Plus: it takes submits and tells of its tasks, and is as well or ill behaved as a
 * test wants. https://github.com/novicezk/midjourney-proxy (read 2026-11)
 */
import { afterAll } from 'bun:test'
import { setUp } from '../people/person.ts'
import { makeChannel } from './channel.ts'
import { listen, type Received, type ScriptedAnswer } from './http-server.ts'
import type { Json } from './strict-provider.ts'

export const MJ_SECRET = 'mj-secret-of-a-test'

export interface DrawingCall {
  path: string
  key: string
  body: Json
}

type Script = (answer: ScriptedAnswer, call: DrawingCall) => unknown

const optional = ['notifyHook', 'state', 'botType', 'accountFilter']

/** Fields of each path: those that must be there, and those that may. */
const paths: Record<string, [required: string[], others: string[]]> = {
  '/mj/submit/imagine': [['prompt'], ['base64Array']],
  '/mj/submit/change': [['taskId', 'action'], ['index']],
  '/mj/submit/simple-change': [['content'], []],
  '/mj/submit/describe': [[], ['base64', 'link']],
  '/mj/submit/blend': [['base64Array'], ['dimensions']],
  '/mj/submit/action': [['taskId', 'customId'], ['chooseSameChannel']],
  '/mj/submit/modal': [['taskId'], ['prompt', 'maskBase64']],
  '/mj/submit/shorten': [['prompt'], []],
  '/mj/submit/upload-discord-images': [['base64Array'], []],
  '/mj/submit/edits': [['prompt', 'image'], ['mask']],
  '/mj/submit/video': [[], ['prompt', 'image', 'motion', 'taskId', 'index']],
  '/mj/insight-face/swap': [['sourceBase64', 'targetBase64'], []],
}

const button = (kind: string, index: number) => ({
  ...{ customId: `MJ::JOB::${kind}::${index}::uuid`, emoji: '', label: `${kind[0]!.toUpperCase()}${index}` },
  ...{ type: 2, style: 2 },
})

/** A finished drawing, as the server tells it. */
export const drawn = (url = 'https://cdn.example/drawing.png') => ({
  ...{ status: 'SUCCESS', progress: '100%', finishTime: 1_700_000_090_000, imageUrl: url },
  buttons: [1, 2, 3, 4].flatMap(index => [button('upsample', index), button('variation', index)]),
  properties: { finalPrompt: 'a gate', notifyHook: 'https://hidden.example' },
})

export async function midjourneyUpstream() {
  const calls: DrawingCall[] = []
  const complaints: string[] = []
  const tasks = new Map<string, Json>()
  const scripts: { submit?: Script; list?: Script; seed?: Script } = {}
  let made = 0

  const complain = (answer: ScriptedAnswer, text: string) => {
    complaints.push(text)
    return answer.json({ code: 4, description: text, result: null, properties: {} })
  }

  function submit(answer: ScriptedAnswer, call: DrawingCall, path: string) {
    const [required, others] = paths[path]!
    const missing = required.filter(name => call.body[name] === undefined)
    const unknown = Object.keys(call.body).filter(name => ![...required, ...others, ...optional].includes(name))
    if (missing.length) return complain(answer, `missing fields: ${missing}`)
    if (unknown.length) return complain(answer, `unknown fields: ${unknown}`)
    if (call.body.taskId && !tasks.has(call.body.taskId)) return complain(answer, 'unknown origin')
    if (scripts.submit) return scripts.submit(answer, call)
    return answer.json(accepted(begin()))
  }

  /** A task of this server, as if it had been submitted. */
  function begin(id = `17180000000000${++made}`): string {
    const times = { submitTime: 1_700_000_000_000, startTime: 0, finishTime: 0 }
    tasks.set(id, {
      id,
      action: 'IMAGINE',
      status: 'SUBMITTED',
      progress: '0%',
      failReason: null,
      imageUrl: null,
      ...times,
    })
    return id
  }

  const server = await listen(async (received, answer) => {
    const call = callOf(received)
    calls.push(call)
    const { path } = call
    if (call.key !== MJ_SECRET || received.headers.authorization) return void (await answer.json({ error: 'no' }, 401))
    const seed = /^GET \/mj\/task\/([^/]+)\/image-seed$/.exec(`${received.method} ${path}`)
    if (seed) return void (await (scripts.seed ?? seedOf)(answer, call))
    if (received.headers['content-type'] !== 'application/json') return void (await complain(answer, 'no JSON'))
    if (received.method === 'POST' && path === '/mj/task/list-by-condition') return void (await list(answer, call))
    const plain = path.replace(/^\/mj-[a-z]+(?=\/mj\/)/, '')
    if (received.method !== 'POST' || !paths[plain]) return void (await complain(answer, `no such path: ${path}`))
    await submit(answer, call, plain)
  })
  afterAll(() => server.stop())

  const seedOf: Script = answer => answer.json({ code: 1, description: 'ok', result: '2871403213' })

  function list(answer: ScriptedAnswer, call: DrawingCall) {
    if (!Array.isArray(call.body.ids)) return complain(answer, 'no ids')
    if (scripts.list) return scripts.list(answer, call)
    return answer.json(call.body.ids.flatMap((id: string) => tasks.get(id) ?? []))
  }

  return {
    url: `http://127.0.0.1:${server.port}`,
    calls,
    complaints,
    tasks,
    begin,
    /** Answers in place of the server itself. */
    scripts,
    submits: () => calls.filter(({ path }) => /\/mj\/(?:submit|insight-face)\//.test(path)),
    /** Changes what it tells of a task. */
    tells: (id: string, state: Json) => void Object.assign(tasks.get(id)!, state),
    /** Back to a well-behaved server without a history. */
    reset() {
      calls.length = complaints.length = 0
      scripts.submit = scripts.list = scripts.seed = undefined
    },
  }
}

export type MidjourneyUpstream = Awaited<ReturnType<typeof midjourneyUpstream>>

export const accepted = (result: unknown, code = 1, properties: Json = {}) => ({
  ...{ code, description: code === 1 ? 'ok' : `code ${code}`, result, properties },
})

function callOf({ target, headers, body }: Received): DrawingCall {
  return { path: target, key: headers['mj-api-secret'] ?? '', body: JSON.parse(body || '{}') }
}

export const ALL_DRAWINGS = [
  ...['imagine', 'describe', 'blend', 'shorten', 'edits', 'video', 'upload', 'modal', 'upscale', 'variation'],
  ...['high_variation', 'low_variation', 'reroll', 'pan', 'zoom', 'custom_zoom', 'inpaint'],
].map(action => `mj_${action}`)

const opened: number[] = []

/** A channel of every drawing that leads to this server. */
export async function drawingChannel({ url }: Pick<MidjourneyUpstream, 'url'>, fields: object = {}) {
  const models = [...ALL_DRAWINGS, 'swap_face'].join()
  const channel = await makeChannel(await setUp(), { type: 5, key: MJ_SECRET, base_url: url, models, ...fields })
  opened.push(channel.id)
  return channel
}

/** Deletes the channels that a test has made beside the first. */
export async function closeOtherDrawings() {
  const root = await setUp()
  for (const id of opened.splice(1)) await root.delete(`/api/channel/${id}`)
}
