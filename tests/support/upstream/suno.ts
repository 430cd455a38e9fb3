/**
 * A strict server of Suno-API: it takes submits and tells of its tasks, and is as well or ill behaved as a test wants.
 * https://github.com/Suno-API/Suno-API (read 2026-11)
 */
import { afterAll } from 'bun:test'
import { listen, type Received, type ScriptedAnswer } from './http-server.ts'
import type { Json } from './strict-provider.ts'

export const SUNO_KEY = 'sk-suno'

export interface SunoCall {
  path: string
  key: string
  body: Json
}

type Script = (answer: ScriptedAnswer, call: SunoCall) => unknown

/** A finished song, as Suno tells it. */
export const song = (id = 'clip-1') => ({
  ...{ id, title: 'Night toll', status: 'complete', audio_url: `https://files.example/${id}.mp3` },
  ...{ image_url: `https://files.example/${id}.png`, metadata: { tags: 'folk', duration: 92.5 } },
})

export const success = (data: unknown) => ({ code: 'success', message: '', data })

const musicFields = new Set([
  ...['prompt', 'title', 'tags', 'mv', 'make_instrumental', 'negative_tags', 'generation_type'],
  ...['gpt_description_prompt', 'continue_at', 'continue_clip_id', 'task_id'],
])

export async function sunoUpstream() {
  const calls: SunoCall[] = []
  const complaints: string[] = []
  const tasks = new Map<string, Json>()
  const scripts: { submit?: Script; fetch?: Script } = {}
  let made = 0

  const complain = (answer: ScriptedAnswer, text: string) => {
    complaints.push(text)
    return answer.json({ code: 'invalid_request', message: text, data: null }, 400)
  }

  function submit(answer: ScriptedAnswer, call: SunoCall) {
    const isMusic = call.path.endsWith('/MUSIC')
    const unknown = Object.keys(call.body).filter(name => !(isMusic ? musicFields.has(name) : name === 'prompt'))
    if (unknown.length) return complain(answer, `unknown fields: ${unknown}`)
    if (isMusic && !call.body.mv) return complain(answer, 'no mv')
    if (call.body.continue_clip_id && !tasks.has(call.body.task_id)) return complain(answer, 'unknown origin')
    if (scripts.submit) return scripts.submit(answer, call)
    return answer.json(success(begin(isMusic ? 'MUSIC' : 'LYRICS')))
  }

  /** A task of this server, as if it had been submitted. */
  function begin(action = 'MUSIC', task_id = `upstream-${++made}`): string {
    const times = { submit_time: 1_700_000_000, start_time: 0, finish_time: 0 }
    const state = { status: 'SUBMITTED', fail_reason: '', progress: '0%', data: null }
    tasks.set(task_id, { task_id, notify_hook: '', action, search_item: '', ...times, ...state })
    return task_id
  }

  function fetchTasks(answer: ScriptedAnswer, call: SunoCall) {
    if (!Array.isArray(call.body.ids)) return complain(answer, 'no ids')
    if (scripts.fetch) return scripts.fetch(answer, call)
    return answer.json(success(call.body.ids.flatMap((id: string) => tasks.get(id) ?? [])))
  }

  const server = await listen(async (received, answer) => {
    const call = callOf(received)
    calls.push(call)
    if (call.key !== SUNO_KEY) return answer.json({ code: 'unauthorized', message: 'wrong key', data: null }, 401)
    if (received.headers['content-type'] !== 'application/json') return void (await complain(answer, 'no JSON'))
    const handle = /^POST \/suno\/submit\/(?:MUSIC|LYRICS)$/.test(`${received.method} ${call.path}`)
      ? submit
      : `${received.method} ${call.path}` === 'POST /suno/fetch' && fetchTasks
    if (!handle) return void (await complain(answer, `no such path: ${received.method} ${call.path}`))
    await handle(answer, call)
  })
  afterAll(() => server.stop())

  return {
    url: `http://127.0.0.1:${server.port}`,
    calls,
    complaints,
    tasks,
    begin,
    /** Answers submits and fetches, in place of the server itself. */
    scripts,
    submits: () => calls.filter(({ path }) => path.startsWith('/suno/submit')),
    /** Changes what it tells of a task. */
    tells: (id: string, state: Json) => void Object.assign(tasks.get(id)!, state),
    /** Back to a well-behaved server without a history. */
    reset() {
      calls.length = complaints.length = 0
      scripts.submit = scripts.fetch = undefined
    },
  }
}

export type SunoUpstream = Awaited<ReturnType<typeof sunoUpstream>>

function callOf({ target, headers, body }: Received): SunoCall {
  const key = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
  return { path: target, key, body: JSON.parse(body || '{}') }
}
