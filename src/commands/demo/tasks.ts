/**
 * The demo's upstream of tasks: drawings, songs and videos. How far a task is follows from its id, which holds the time
 * of its submit; a prompt with the word “fail” fails.
 */
import { now_ms } from '../../process/clock.ts'
import { onReset } from '../../process/stores.ts'
import type { Json } from '../../pure/json.ts'
import { unixSeconds } from '../../pure/time.ts'
import { film, picture, song } from './files.ts'

const QUEUED_MS = 4000
/** How long each takes, by its place among ten: some are done at the first look, others are watched for a while. */
const MADE_MS = [8000, 10_000, 12_000, 11_000, 9000, 55_000, 35_000, 10_000, 45_000, 65_000]
const FAILS = '9'
let made = 0
onReset('demo-tasks', () => {
  made = 0
})

/** A number that ends in a mark of what comes of it. */
const newId = ({ prompt = '' }: Json) => `${now_ms()}${made++ % 10}${/fail/i.test(String(prompt)) ? FAILS : '1'}`

const submitted_ms = (id: string) => Number(id.slice(0, -2))
const fails = (id: string) => id.endsWith(FAILS)
const made_msOf = (id: string) => MADE_MS[Number(id.at(-2))]!
const seedOf = (id: string) => Number(id.slice(-6))

type Stage = 'queued' | 'running' | 'done' | 'failed'

function stageOf(id: string): { stage: Stage; percent: number } {
  const age_ms = now_ms() - submitted_ms(id)
  if (age_ms < QUEUED_MS) return { stage: 'queued', percent: 0 }
  const made_ms = made_msOf(id)
  if (age_ms < made_ms) return { stage: 'running', percent: Math.min(99, Math.round((100 * age_ms) / made_ms)) }
  return { stage: fails(id) ? 'failed' : 'done', percent: 100 }
}

const REASON = 'The prompt is not allowed'

/** @returns undefined for a request that is about no task */
export async function answerTask(request: Request, url: URL): Promise<Response | undefined> {
  const { pathname, origin } = url
  const route = `${request.method} ${pathname}`
  if (/^GET \/v1\/videos\/\d+\/content$/.test(route)) return fileResponse('', undefined, 'webm')
  const file = /^GET \/files\/(\d+)(-\d)?\.(png|wav|webm)$/.exec(route)
  if (file) return fileResponse(file[1]!, file[2], file[3]!)
  if (!/^(?:\/mj-\w+)?\/(?:mj|suno)\/|^\/v1\/videos/.test(pathname)) return undefined
  const body: Json = request.method === 'POST' ? ((await request.json()) as Json) : {}
  const answer = answerOf(route, body, origin)
  return answer ? Response.json(answer) : Response.json({ error: { message: 'no such task' } }, { status: 404 })
}

function answerOf(route: string, body: Json, origin: string): unknown {
  const ids = (Array.isArray(body.ids) ? body.ids : []).map(String)
  if (/^POST (?:\/mj-\w+)?\/mj\/(?:submit|insight-face)\//.test(route))
    return { code: 1, description: 'Submit success', result: newId(body), properties: {} }
  if (route === 'POST /mj/task/list-by-condition') return ids.map(id => drawing(id, origin))
  if (/^GET \/mj\/task\/\d+\/image-seed$/.test(route)) return { code: 1, description: 'success', result: '2871403213' }
  const [, action] = /^POST \/suno\/submit\/(MUSIC|LYRICS)$/.exec(route) ?? []
  if (action) return success(`${action}-${newId({ prompt: body.prompt ?? body.gpt_description_prompt })}`)
  if (route === 'POST /suno/fetch') return success(ids.map(id => music(id, origin)))
  if (/^POST \/v1\/videos(?:\/\d+\/remix)?$/.test(route)) return video(newId(body))
  const [, method, id] = /^(GET|DELETE) \/v1\/videos\/(\d+)$/.exec(route) ?? []
  if (method === 'DELETE') return { id, object: 'video.deleted', deleted: true }
  return id && video(id)
}

const drawingWords = { queued: 'SUBMITTED', running: 'IN_PROGRESS', done: 'SUCCESS', failed: 'FAILURE' }

function drawing(id: string, origin: string): Json {
  const { stage, percent } = stageOf(id)
  const isDone = stage === 'done'
  return {
    ...{ id, status: drawingWords[stage], progress: `${percent}%`, failReason: stage === 'failed' ? REASON : '' },
    ...{ submitTime: submitted_ms(id), startTime: submitted_ms(id) + QUEUED_MS, finishTime: finishOf(id, stage) },
    imageUrl: stage === 'queued' || stage === 'failed' ? '' : `${origin}/files/${id}-4.png`,
    buttons: isDone ? buttonsOf(id) : [],
    properties: {},
  }
}

const finishOf = (id: string, stage: Stage) =>
  stage === 'done' || stage === 'failed' ? submitted_ms(id) + made_msOf(id) : 0

const buttonsOf = (id: string) => [
  ...[1, 2, 3, 4].map(index => ({ customId: `MJ::JOB::upsample::${index}::${id}`, label: `U${index}` })),
  { customId: `MJ::JOB::reroll::0::${id}::SOLO`, emoji: '🔄' },
  ...[1, 2, 3, 4].map(index => ({ customId: `MJ::JOB::variation::${index}::${id}`, label: `V${index}` })),
]

const success = (data: unknown) => ({ code: 'success', message: '', data })
const musicWords = { queued: 'QUEUED', running: 'IN_PROGRESS', done: 'SUCCESS', failed: 'FAILURE' }

function music(task_id: string, origin: string): Json {
  const [action, id = ''] = task_id.split('-')
  const { stage, percent } = stageOf(id)
  const [start, finish] = [submitted_ms(id) + QUEUED_MS, finishOf(id, stage)].map(unixSeconds)
  return {
    ...{ task_id, action, status: musicWords[stage], progress: `${percent}%` },
    ...{ submit_time: unixSeconds(submitted_ms(id)), start_time: start, finish_time: finish },
    fail_reason: stage === 'failed' ? REASON : '',
    data: stage === 'done' ? (action === 'LYRICS' ? lyricsOf(id) : songsOf(id, origin)) : null,
  }
}

const lyricsOf = (id: string) => ({
  ...{ id, title: 'Toll', status: 'complete' },
  text: '[Verse]\nThe barrier lifts at dawn\nThe road is long, the night is gone\n\n[Chorus]\nLet me through, let me through',
})

const SONG_SECONDS = 3.2

const songsOf = (id: string, origin: string) => [
  {
    ...{ id, title: 'Toll', status: 'complete', audio_url: `${origin}/files/${id}.wav` },
    ...{ image_url: `${origin}/files/${id}-1.png`, metadata: { tags: 'folk', duration: SONG_SECONDS } },
  },
]

const videoWords = { queued: 'queued', running: 'in_progress', done: 'completed', failed: 'failed' }

function video(id: string): Json {
  const { stage, percent } = stageOf(id)
  const error = stage === 'failed' ? { code: 'moderation_blocked', message: REASON } : null
  return { id, object: 'video', status: videoWords[stage], progress: percent, error }
}

const types = { png: 'image/png', wav: 'audio/wav', webm: 'video/webm' }

function fileResponse(id: string, count: string | undefined, ending: string): Response {
  const bytes =
    ending === 'png' ? picture(seedOf(id), count === '-4' ? 4 : 1) : ending === 'wav' ? song(seedOf(id)) : film()
  return new Response(bytes, { headers: { 'content-type': types[ending as keyof typeof types] } })
}
