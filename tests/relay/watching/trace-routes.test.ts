/** Every path at which calls are billed is traced: the list is that of the routes. */
import { expect, test } from 'bun:test'
import { apiRoutes } from '../../../src/relay/endpoints/table.ts'
import { setOption } from '../../support/app/options.ts'
import { bob, collector, context } from '../../support/otlp/traced.ts'
import { setUp } from '../../support/people/person.ts'
import { recording } from '../../support/people/speech-file.ts'
import { until } from '../../support/until.ts'
import { makeChannel } from '../../support/upstream/channel.ts'
import { ALL_DRAWINGS } from '../../support/upstream/midjourney.ts'

/** Refuses all, so that one body will do for every format. */
const upstream = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: () => Response.json({ error: {} }, { status: 500 }),
})
const base_url = `http://127.0.0.1:${upstream.port}`
const root = await setUp()
await setOption('ModelRatio', JSON.stringify({ all: 1, 'tts-1': 1 }))
const served = [
  { models: 'all,tts-1' },
  { type: 5, models: [...ALL_DRAWINGS, 'swap_face'].join() },
  { type: 36, models: 'suno_music,suno_lyrics' },
  { type: 55, models: 'sora-2' },
  { type: 50, key: 'ak|sk', models: 'kling-v2-6,kling-v3-omni' },
  { type: 51, key: 'ak|sk', models: 'jimeng_v30' },
]
for (const fields of served) await makeChannel(root, { key: 'sk-upstream', base_url, ...fields })

const PICTURE = 'data:image/png;base64,iVBORw0KGgo='
const modelFor = (path: string) =>
  path.includes('omni')
    ? 'kling-v3-omni'
    : path.includes('video')
      ? 'sora-2'
      : path.endsWith('speech')
        ? 'tts-1'
        : 'all'
const file = (type: string) => new File(['bytes'], type === 'image/png' ? 'a.png' : 'a.wav', { type })

function formFor(path: string): FormData | undefined {
  if (!/edits|variations|transcriptions|translations/.test(path) || path.startsWith('/mj')) return undefined
  const form = new FormData()
  const [name, value] = path.includes('images') ? ['image', file('image/png')] : ['file', recording(1)]
  form.set(name as string, value as File)
  for (const [field, text] of [
    ['model', 'all'],
    ['prompt', 'A gate'],
  ] as const)
    form.set(field, text)
  return form
}

/** What any of the formats asks for. */
const bodyFor = (path: string) => ({
  ...{
    model: modelFor(path),
    messages: [{ role: 'user', content: 'Hi' }],
    max_tokens: 9,
    input: 'Hi',
    prompt: 'A gate',
  },
  ...{ query: 'Hi', documents: ['Hi'], voice: 'alloy', title: 'Toll', tags: 'folk', base64: PICTURE, image: PICTURE },
  ...{ contents: [{ role: 'user', parts: [{ text: 'Hi' }] }], content: { parts: [{ text: 'Hi' }] } },
  ...{ requests: [{ model: 'models/all', content: { parts: [{ text: 'Hi' }] } }], base64Array: [PICTURE, PICTURE] },
  ...{ sourceBase64: PICTURE, targetBase64: PICTURE, req_key: 'jimeng_t2v_v30' },
  ...(path.startsWith('/mj') && { content: undefined }),
  // Responses knows stored prompts by this field.
  ...(path.startsWith('/v1/responses') && { prompt: undefined }),
  ...(path.startsWith('/kling') && { model_name: path.includes('omni') ? 'kling-v3-omni' : 'kling-v2-6' }),
})

const billed = apiRoutes.filter(({ operation }) => operation)
/** They continue a task, open a WebSocket, or need fields that contradict those of others. */
const withoutAttempt = /^\/mj\/submit\/(change|simple-change|action|modal)$|remix|realtime/

test.each(billed.map(({ method, path }) => [method, path] as const))('%s %s is traced', async (method, path) => {
  const { trace, headers } = context()
  const at = path.replace('*', 'all').replace(':model', 'all').replace(':id', 'task_1')
  const query = path === '/jimeng/' ? '?Action=CVSync2AsyncSubmitTask&Version=2022-08-31' : ''
  const response =
    method === 'GET'
      ? await bob.get(at, headers)
      : await bob.postTo(at + query, formFor(path) ?? bodyFor(path), { headers })
  const text = await response.text()
  await until(() => collector.named(trace).has('admit'))
  const spans = collector.named(trace)
  expect(spans.get(`${method} ${path}`)).toMatchObject({
    kind: 2,
    attributes: { 'http.route': path, 'http.response.status_code': BigInt(response.status) },
  })
  if (!withoutAttempt.test(path))
    expect([text, [...spans.keys()]]).toEqual([text, expect.arrayContaining(['reserve', 'POST'])])
})

test('lookups are not traced', async () => {
  const { trace, headers } = context()
  await (await bob.get('/v1/models', headers)).text()
  const last = context()
  await (await bob.postTo('/v1/embeddings', bodyFor(''), { headers: last.headers })).text()
  await until(() => collector.named(last.trace).has('admit'))
  expect(collector.named(trace).size).toBe(0)
})
