/** Drawings, songs and videos of the demo's upstream. An id tells when its task began, so that nothing is kept of it. */
import { now_ms } from '../../process/clock.ts'
import type { Json } from '../../pure/json.ts'
import { FILM } from './film.ts'
import { fourOf, png, tollGate, wav } from './media.ts'

const PICTURE_SIZE = 320
/** From the submit to the end. */
const TASK_MS = 12_000

let made = 0

/** `demo-imagine-1790000000000-1` */
const newId = (kind: string) => `demo-${kind}-${now_ms()}-${++made}`

function partsOf(id: string) {
  const [, kind = '', began = '', number = ''] = /^demo-(\w+)-(\d+)-(\d+)$/.exec(id) ?? []
  const share = Math.min((now_ms() - Number(began)) / TASK_MS, 1)
  return { kind, number: Number(number), share, percent: Math.floor(share * 100) }
}

/** @returns undefined for a path of another API */
export async function answerTask(request: Request): Promise<Response | undefined> {
  const { pathname, origin } = new URL(request.url)
  if (pathname.startsWith('/files/')) return fileAt(pathname)
  const [, video, content] = /^\/v1\/videos\/(demo-[\w-]+)(\/content)?$/.exec(pathname) ?? []
  if (video) return content ? film() : Response.json(videoOf(video))
  if (request.method !== 'POST') return undefined
  if (pathname === '/v1/videos') return Response.json(videoOf(newId('video')))
  if (pathname === '/suno/fetch') return Response.json(sung((await idsIn(request)).map(id => songOf(id, origin))))
  if (pathname === '/mj/task/list-by-condition')
    return Response.json((await idsIn(request)).map(id => drawingOf(id, origin)))
  if (pathname.startsWith('/suno/submit/'))
    return Response.json(sung(newId(pathname.endsWith('LYRICS') ? 'lyrics' : 'music')))
  if (!pathname.startsWith('/mj/submit/')) return undefined
  return Response.json(await drawn(request, pathname))
}

async function idsIn(request: Request): Promise<string[]> {
  const { ids } = (await request.json()) as { ids: string[] }
  return ids
}

const sung = (data: unknown) => ({ code: 'success', message: '', data })

const fileOf = (type: string, bytes: Uint8Array<ArrayBuffer>) =>
  new Response(bytes, { headers: { 'content-type': type } })
const film = () => fileOf('video/webm', Uint8Array.from(Buffer.from(FILM, 'base64')))

function fileAt(path: string): Response {
  if (path.endsWith('.wav')) return fileOf('audio/wav', wav())
  const { kind, number } = partsOf(path.slice('/files/'.length, -'.png'.length))
  return fileOf('image/png', png(PICTURE_SIZE, kind === 'imagine' ? fourOf() : tollGate(number)))
}

/** A prompt of another gate is refused in the end, as makers refuse what they do not like. */
async function drawn(request: Request, path: string): Promise<Json> {
  const { prompt = '', customId = '' } = (await request.json()) as Record<'prompt' | 'customId', string>
  const kind = path.endsWith('imagine') ? (prompt.includes('without') ? 'refused' : 'imagine') : 'change'
  return {
    code: 1,
    description: 'Submit success',
    result: newId(customId.includes('variation') ? 'imagine' : kind),
    properties: {},
  }
}

const buttons = [
  ...['U1', 'U2', 'U3', 'U4'].map((label, at) => ({
    label,
    emoji: '',
    customId: `MJ::JOB::upsample::${at + 1}::demo`,
  })),
  ...['V1', 'V2', 'V3', 'V4'].map((label, at) => ({
    label,
    emoji: '',
    customId: `MJ::JOB::variation::${at + 1}::demo`,
  })),
  { label: '', emoji: '🔄', customId: 'MJ::JOB::reroll::0::demo::SOLO' },
]

function drawingOf(id: string, site: string): Json {
  const { kind, share, percent } = partsOf(id)
  const isDone = share === 1
  const base = { id, startTime: now_ms() - Math.floor(share * TASK_MS), progress: `${percent}%`, promptEn: '' }
  if (!isDone) return { ...base, status: 'IN_PROGRESS' }
  const finishTime = now_ms()
  if (kind === 'refused')
    return { ...base, finishTime, status: 'FAILURE', failReason: 'The prompt is against the rules of the maker' }
  return {
    ...{ ...base, finishTime, status: 'SUCCESS', properties: {} },
    imageUrl: `${site}/files/${id}.png`,
    buttons: kind === 'imagine' ? buttons : [],
  }
}

function songOf(task_id: string, site: string): Json {
  const { kind, share, percent } = partsOf(task_id)
  const state = { task_id, progress: `${percent}%`, fail_reason: '' }
  if (share < 1) return { ...state, status: 'IN_PROGRESS', start_time: Math.floor(now_ms() / 1000) }
  const finish_time = Math.floor(now_ms() / 1000)
  const text = 'The night is long, the gate is low,\nthe lamps along the river glow.'
  if (kind === 'lyrics') return { ...state, finish_time, status: 'SUCCESS', data: { title: 'At the gate', text } }
  const [audio_url, image_url] = [`${site}/files/${task_id}.wav`, `${site}/files/${task_id}.png`]
  const metadata = { tags: 'folk, slow, harmonica', duration: 3.2, prompt: text }
  const songs = [{ id: `${task_id}-a`, title: 'Night toll', audio_url, image_url, metadata }]
  return { ...state, finish_time, status: 'SUCCESS', data: songs }
}

function videoOf(id: string): Json {
  const { share, percent } = partsOf(id)
  const state = share === 1 ? { status: 'completed', progress: 100 } : { status: 'in_progress', progress: percent }
  return { id, object: 'video', model: 'sora-2', created_at: Math.floor(now_ms() / 1000), seconds: '4', ...state }
}
