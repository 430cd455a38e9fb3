/** Operations of drawings, in the words of Midjourney Proxy. */
import { z } from 'zod'
import type { OperationNotes } from './notes.ts'

const text = z.string()
const optionalText = text.optional()
const picture = text.describe('A data URL, or an address.')
const own = {
  state: optionalText.describe('A mark of your own, which the task keeps.'),
  botType: optionalText.describe('`MID_JOURNEY` or `NIJI_JOURNEY`.'),
  notifyHook: optionalText.describe('Where the end of the task is sent, if the operator allows it.'),
}
const SubmitAnswer = z.looseObject({ code: z.int(), description: text, result: z.unknown(), properties: z.unknown() })
const Task = z.looseObject({ id: text, action: text, status: text, progress: text, imageUrl: text, failReason: text })

const submit = (
  summary: OperationNotes['summary'],
  fields: z.core.$ZodLooseShape,
  example?: OperationNotes['example'],
): OperationNotes => ({
  ...{ summary, body: z.looseObject({ ...fields, ...own }), response: SubmitAnswer },
  ...(example && { example }),
})

const taskId = text.describe('The task that this one continues.')
const index = z.int().optional().describe('1 to 4.')

export const drawings: Record<string, OperationNotes> = {
  'POST /mj/submit/imagine': {
    ...submit(
      'operation.drawing',
      { prompt: text, base64Array: z.array(picture).optional() },
      { prompt: 'A toll gate at dawn' },
    ),
    description:
      'Answers with the id of a task, which is charged when it is accepted and refunded when it fails. The path may begin with a mode, such as `/mj-turbo`.',
  },
  'POST /mj/submit/change': submit('operation.drawing_change', { taskId, action: text, index }),
  'POST /mj/submit/simple-change': submit('operation.drawing_change', {
    content: text.describe('Id of a task with U1 to U4, V1 to V4 or R.'),
  }),
  'POST /mj/submit/describe': submit('operation.drawing_describe', { base64: picture.optional(), link: optionalText }),
  'POST /mj/submit/blend': submit('operation.drawing_blend', {
    base64Array: z.array(picture).describe('2 to 5.'),
    dimensions: optionalText.describe('`PORTRAIT`, `SQUARE` or `LANDSCAPE`.'),
  }),
  'POST /mj/submit/action': submit('operation.drawing_action', { taskId, customId: text }),
  'POST /mj/submit/modal': submit('operation.drawing_modal', {
    taskId,
    prompt: optionalText,
    maskBase64: picture.optional(),
  }),
  'POST /mj/submit/shorten': submit('operation.drawing_shorten', { prompt: text }),
  'POST /mj/submit/upload-discord-images': submit('operation.drawing_upload', { base64Array: z.array(picture) }),
  'POST /mj/submit/edits': submit('operation.drawing_edit', { prompt: text, image: picture }),
  'POST /mj/submit/video': submit('operation.drawing_video', {
    prompt: optionalText,
    image: picture.optional(),
    motion: optionalText.describe('`low` or `high`.'),
    taskId: taskId.optional(),
    index,
  }),
  'POST /mj/insight-face/swap': submit('operation.drawing_face', { sourceBase64: picture, targetBase64: picture }),
  'GET /mj/task/:id/fetch': { summary: 'operation.drawing_fetch', response: Task },
  'GET /mj/task/:id/image-seed': { summary: 'operation.drawing_seed', response: SubmitAnswer },
  'POST /mj/task/list-by-condition': {
    summary: 'operation.drawings_fetch',
    body: z.looseObject({ ids: z.array(text) }),
    response: z.array(Task),
  },
  'GET /mj/image/:id': {
    summary: 'operation.drawing_picture',
    description: 'A session of this site, or an address that this site has signed, is accepted in place of an API key.',
  },
}
