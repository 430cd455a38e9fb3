/** What the code makes of tasks: requests, answers and states of their makers, and what clients read of them. */
import { statusesUpTo, type TaskStatus } from '../../../src/contracts/task.ts'
import { actionIn, modelOf, opensModal, taskIdIn } from '../../../src/formats/midjourney/actions.ts'
import { readError, writeError } from '../../../src/formats/midjourney/api-error.ts'
import { midjourneyFormat } from '../../../src/formats/midjourney/index.ts'
import { requestFlaw } from '../../../src/formats/midjourney/request-flaw.ts'
import { readState } from '../../../src/formats/midjourney/states.ts'
import { readAccepted, writeAnswer } from '../../../src/formats/midjourney/submit-answer.ts'
import type { MidjourneyAction, SubmitKind } from '../../../src/formats/midjourney/wire.ts'
import { midjourneyTask } from '../../../src/formats/midjourney/write-task.ts'
import { readError as readSunoError, requestFlaw as sunoFlaw } from '../../../src/formats/suno/api-error.ts'
import { suno } from '../../../src/formats/suno/index.ts'
import { readStates as readSunoStates } from '../../../src/formats/suno/states.ts'
import { sunoTask, withUrls } from '../../../src/formats/suno/write-task.ts'
import type { Json } from '../../../src/pure/json.ts'
import { linesOf } from './lines.ts'

export const picture = 'https://example.com/a.png'
export const statuses: TaskStatus[] = [...statusesUpTo('IN_PROGRESS'), 'UNKNOWN', 'SAVING', 'SUCCESS', 'FAILURE']

const submits: Record<SubmitKind, Json> = {
  imagine: {
    prompt: 'A ball',
    base64Array: [picture],
    botType: 'MID_JOURNEY',
    notifyHook: 'https://example.com/hook',
    state: 's',
    accountFilter: {},
  },
  describe: { base64: 'data:image/png;base64,AAAA', link: picture },
  blend: { base64Array: [picture, 'data:image/webp;base64,AAAA'], dimensions: 'SQUARE' },
  shorten: { prompt: 'A ball' },
  upload: { base64Array: [picture] },
  swap_face: { sourceBase64: 'data:image/jpeg;base64,AAAA', targetBase64: 'data:image/gif;base64,AAAA' },
  edits: { prompt: 'A ball', image: picture, mask: picture, maskBase64: 'data:image/png;base64,AAAA' },
  video: { motion: 'low', index: 4, taskId: '1', prompt: 'A ball', image: picture },
  modal: { taskId: '1', prompt: 'A ball', maskBase64: picture },
  change: { taskId: '1', action: 'UPSCALE', index: 4 },
  simple_change: { content: '1320098173412546 U2' },
  action: { taskId: '1', customId: 'MJ::JOB::upsample::2::uuid' },
} as Record<SubmitKind, Json>

const buttons = [
  'JOB::upsample::4',
  'JOB::upsample::5',
  'JOB::low_variation::1',
  'JOB::high_variation::1',
  'JOB::variation::3',
  'JOB::pan_left::1',
  'JOB::pan::1',
  'JOB::panic::1',
  'JOB::reroll::0',
  'Outpaint::50',
  'CustomZoom::1',
  'Inpaint::1',
  'other',
]
const contents = ['1 u1', '1 V4', '1 R', '1 U5', '1 r1', ' ', '1']
const actions = ['IMAGINE', 'SWAP_FACE', 'UPLOAD', 'MODAL', 'INPAINT', 'CUSTOM_ZOOM'] as MidjourneyAction[]
const answers = [1, 3, 21, 22].flatMap(code => [
  { code, description: 'M', result: 1320, properties: { status: 'SUCCESS', imageUrl: picture } },
  { code, result: [picture], properties: { status: 'IN_PROGRESS' } },
])
const state = {
  ...{
    id: '1',
    action: 'IMAGINE',
    status: 'SUCCESS',
    progress: '30%',
    failReason: '',
    startTime: 1_700_000_000_000,
    finishTime: 1_700_000_000,
  },
  ...{
    imageUrl: picture,
    videoUrls: [{ url: picture }],
    prompt: 'P',
    promptEn: 'E',
    buttons: [{ customId: 'c' }],
    maskBase64: 'm',
    notifyHook: 'h',
  },
  properties: { notifyHook: 'h', finalPrompt: 'F' },
}

function midjourneyLines(): string[] {
  const kinds = Object.entries(submits) as [SubmitKind, Json][]
  return [
    ...kinds.flatMap(([kind, body]) => [
      ...linesOf(
        kind,
        body,
        read => ({ flaw: requestFlaw(kind, read as Json), action: actionIn(kind, read as Json) }),
        true,
      ),
      `${kind} facts: ${JSON.stringify([midjourneyFormat(kind).readFacts(body), midjourneyFormat(kind).forward({ ...body, model: 'm' })])}`,
    ]),
    ...buttons.map(
      name => `button ${name}: ${JSON.stringify(actionIn('action' as SubmitKind, { customId: `MJ::${name}::uuid` }))}`,
    ),
    ...contents.map(
      content => `content ${content}: ${JSON.stringify(actionIn('simple_change', { content }))} ${taskIdIn(content)}`,
    ),
    ...actions.flatMap(action => [
      `${action}: ${modelOf(action)} ${opensModal(action)}`,
      ...answers.map(
        answer =>
          `${action} ${JSON.stringify(answer)}: ${JSON.stringify([readAccepted(action, answer), writeAnswer(action, answer)])}`,
      ),
    ]),
    ...answers.map(
      answer =>
        `accepted ${JSON.stringify(answer)}: ${JSON.stringify(midjourneyFormat('imagine').responseFacts(answer))}`,
    ),
    ...[1, 3, 4, 5, 9, 23, 24, 30].flatMap(code =>
      [0, 200, 500].map(status => {
        const error = readError(
          {
            code,
            description: code === 3 ? 'No available account instance' : 'M',
            properties: { promptEn: 'E', bannedWord: 'B', numberOfQueues: 1, other: 1 },
          },
          status,
        )
        return `refused ${code} ${status}: ${JSON.stringify(error)} ${error && JSON.stringify(writeError(error))}`
      }),
    ),
    ...[400, 401, 429, 500].map(
      status =>
        `own ${status}: ${JSON.stringify(writeError({ status, code: 'insufficient_user_quota', message: 'M', type: 't', param: null }))} ${JSON.stringify(writeError({ status, code: 'c', message: 'M', type: 't', param: null }))}`,
    ),
    ...['SUCCESS', 'CANCEL', 'MODAL', 'NOT_START'].flatMap(status => [
      ...linesOf(`state ${status}`, { ...state, status }, readState),
    ]),
    ...linesOf('described', { id: '1', action: 'DESCRIBE', status: 'SUCCESS', prompt: 'P' }, readState),
    ...statuses.map(
      status =>
        `task ${status}: ${JSON.stringify(midjourneyTask({ ...kept(status), upstream_id: 'u', action: 'IMAGINE', answer: { description: 'D' }, input: { customId: 'c', state: 's', prompt: 'p', botType: 'b' }, result: status === 'SUCCESS' ? state : null }, status === 'SUCCESS' ? undefined : picture))}`,
    ),
  ]
}

export const kept = (status: TaskStatus) => ({
  ...{ task_id: 'task_1', model: 'm', status, progress: 40, fail_reason: status === 'FAILURE' ? 'bad' : '' },
  ...{
    submit_ms: 1_700_000_000_500,
    start_ms: 1_700_000_001_500,
    finish_ms: status === 'SUCCESS' ? 1_700_000_002_500 : 0,
  },
})

const song = {
  task_id: 's1',
  status: 'SUCCESS',
  progress: '100%',
  fail_reason: '',
  start_time: 1_700_000_000,
  finish_time: 1_700_000_000_000,
  data: [{ audio_url: picture, video_url: picture }],
}

const told = (task: object) => ({ code: 'success', data: [task] })

function sunoLines(): string[] {
  const request = {
    model: 'm',
    notify_hook: 'h',
    task_id: 't',
    prompt: 'P',
    gpt_description_prompt: 'G',
    tags: 'T',
    title: 'I',
    continue_clip_id: 'c',
  }
  const read = (action: 'MUSIC' | 'LYRICS') => (body: unknown) => ({
    flaw: sunoFlaw(body as Json, action),
    sent: suno.forward(body as Json),
    text: suno.promptText(body as Json),
  })
  return [
    ...linesOf('music', request, read('MUSIC'), true),
    ...linesOf('lyrics', request, read('LYRICS')),
    ...linesOf('described', { gpt_description_prompt: 'G' }, read('MUSIC')),
    ...linesOf(
      'answer',
      { code: 'success', data: 'id_1' },
      body => [suno.responseFacts(body), readSunoError(body)],
      true,
    ),
    ...linesOf('states', told(song), body => [...(readSunoStates(body) ?? [])], true),
    ...['IN_PROGRESS', 'FAILURE', 'other'].map(
      status =>
        `state ${status}: ${JSON.stringify([...readSunoStates(told({ ...song, status, fail_reason: 'bad' }))!])}`,
    ),
    `lyrics: ${JSON.stringify([...readSunoStates(told({ ...song, data: { text: 'La' } }))!])}`,
    ...[0, 400, 500].flatMap(status =>
      [
        { code: 'invalid_request', message: 'M' },
        { code: 429 },
        { code: 200 },
        { data: { status: 'FAILURE', fail_reason: 'F' } },
        { error: { code: 'c', message: 'M' } },
        'text',
      ].map(body => `error ${status} ${JSON.stringify(body)}: ${JSON.stringify(readSunoError(body, status))}`),
    ),
    ...statuses.map(
      status =>
        `task ${status}: ${JSON.stringify(sunoTask({ ...kept(status), action: 'MUSIC', result: status === 'SUCCESS' ? song : null }))}`,
    ),
    `addresses: ${JSON.stringify(withUrls([{ audio_url: 'a' }, { image_url: 'b' }], { 'audio-0': 'A', 'cover-1': 'C', 'video-1': 'V' }))}`,
  ]
}

export const makerLists: Record<string, () => string[]> = {
  'midjourney tasks': midjourneyLines,
  'suno tasks': sunoLines,
}
