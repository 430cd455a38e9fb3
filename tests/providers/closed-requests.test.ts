// @engine sqlite
/** What services that have ended are sent, by which keys, and what their errors mean. */
import { beforeEach, expect, test } from 'bun:test'
import { asOpenAi, buildRequest, pickApi, providerOf } from '../../src/providers/index.ts'
import { setOption } from '../support/app/options.ts'
import { type Client, client, RICH } from '../support/people/client.ts'
import { setUp } from '../support/people/person.ts'
import { requestFor, type TypedCall } from '../support/upstream/request.ts'
import { channelTo, deleteChannels } from '../support/upstream/served-channel.ts'

const [PALM, WENXIN, ZHIPU_V3, LIBRARY] = [11, 15, 16, 21]
const KEY = 'ak-0123456789|sk-9876543210'
const body = { model: 'm', messages: [{ role: 'user', content: 'hi' }] }

/** What becomes of a chat of OpenAI's format. */
function chatFor(call: TypedCall, model: string) {
  const api = pickApi(providerOf(call.type)!, { operation: 'chat', model, config: call, body })!
  return buildRequest(asOpenAi(api, body), call, model, body)
}

let ann: Client
beforeEach(async () => {
  await setOption('RetryTimes', 0)
  await deleteChannels()
  ann = await client()
})

const answered: [code: number, status: number][] = [
  ...[1000, 1001, 1002, 1003, 1004, 1110, 1111, 1112, 1121, 1220, 1222].map(code => [code, 502] as [number, number]),
  ...[1113, 1302, 1303, 1304, 1308, 1310].map(code => [code, 429] as [number, number]),
  ...[1210, 1213, 1261, 1300, 1301].map(code => [code, 400] as [number, number]),
  ...[1120, 1305].map(code => [code, 503] as [number, number]),
  ...[1234, 500].map(code => [code, 502] as [number, number]),
]
test.each(answered)('Zhipu v3: error %d inside a 200 becomes %d and is free', async (code, status) => {
  const zhipu = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1' },
    fetch: () => Response.json({ code, msg: 'refused', success: false }),
  })
  await channelTo(`http://127.0.0.1:${zhipu.port}`, { type: ZHIPU_V3, key: 'keyid.keysecret' })
  expect((await ann.chat()).status).toBe(status)
  expect((await ann.stream()).status).toBe(status)
  expect(await ann.balance()).toBe(RICH)
  await zhipu.stop(true)
})

test('Zhipu v3: the key is sent as the token that Zhipu expects', () => {
  const call = { type: ZHIPU_V3, base_url: '', key: 'keyid.keysecret', at_ms: 1_717_200_000_000 }
  const { url, headers } = chatFor(call, 'chatglm_turbo')
  expect(url).toBe('https://open.bigmodel.cn/api/paas/v3/model-api/chatglm_turbo/invoke')
  expect(headers.authorization).toBe(
    'eyJhbGciOiJIUzI1NiIsInNpZ25fdHlwZSI6IlNJR04ifQ.eyJhcGlfa2V5Ijoia2V5aWQiLCJleHAiOjE3MTcyODY0MDAwMDAsInRpbWVzdGFtcCI6MTcxNzIwMDAwMDAwMH0.0K_cq6nUyRhJYyyKEDnRsPGk86_Hewgam-ekwaMKZJo',
  )
})

test('Zhipu v3: a token in an error is hidden', async () => {
  const zhipu = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1' },
    fetch: ({ headers }) =>
      Response.json({ code: 1210, msg: `not accepted: ${headers.get('authorization')}.`, success: false }),
  })
  await channelTo(`http://127.0.0.1:${zhipu.port}`, { type: ZHIPU_V3, key: 'keyid.keysecret' })
  const text = await (await ann.chat()).text()
  await zhipu.stop(true)
  expect([text.includes('not accepted: ***'), text.includes('eyJ')]).toEqual([true, false])
})

const endpoints: [model: string, endpoint: string][] = [
  ...['ERNIE-4.0', 'ERNIE-4.0-8K', 'ERNIE-Bot-4'].map(model => [model, 'completions_pro'] as [string, string]),
  ...['ERNIE-Bot', 'ERNIE-3.5-8K'].map(model => [model, 'completions'] as [string, string]),
  ...['ERNIE-Bot-turbo', 'ERNIE-Lite-8K-0922'].map(model => [model, 'eb-instant'] as [string, string]),
  ...['ERNIE-Speed', 'ERNIE-Speed-8K'].map(model => [model, 'ernie_speed'] as [string, string]),
  ['ERNIE-Speed-128K', 'ernie-speed-128k'],
  ['ERNIE-3.5-8K-0205', 'ernie-3.5-8k-0205'],
  ['ERNIE-3.5-8K-1222', 'ernie-3.5-8k-1222'],
  ['ERNIE-Bot-8K', 'ernie_bot_8k'],
  ['ERNIE-3.5-4K-0205', 'ernie-3.5-4k-0205'],
  ['ERNIE-Lite-8K-0308', 'ernie-lite-8k'],
  ['ERNIE-Tiny-8K', 'ernie-tiny-8k'],
  ['BLOOMZ-7B', 'bloomz_7b1'],
  ['../Mine?', '..%2Fmine%3F'],
]
test.each(endpoints)('Wenxin: %s is served at %s', (model, endpoint) => {
  const call = { type: WENXIN, base_url: '', key: KEY, token: '24.a&b' }
  expect(chatFor(call, model).url).toBe(
    `https://aip.baidubce.com/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/${endpoint}?access_token=24.a%26b`,
  )
})

test.each([
  ['Embedding-V1', 'embedding-v1'],
  ['bge-large-zh', 'bge_large_zh'],
  ['bge-large-en', 'bge_large_en'],
  ['tao-8k', 'tao_8k'],
])('Wenxin: embeddings of %s are served at %s', (model, endpoint) => {
  const request = requestFor({ type: WENXIN, base_url: '', key: KEY, token: 't' }, 'embeddings', model, { input: 'a' })!
  expect(request.url).toEndWith(`/wenxinworkshop/embeddings/${endpoint}?access_token=t`)
})

const successors: [type: number, key: string, model: string, url: string][] = [
  [WENXIN, 'bce-v3/ALTAK-1/2', 'ernie-4.5-turbo-128k', 'https://qianfan.baidubce.com/v2/chat/completions'],
  [WENXIN, 'bce-v3/ALTAK-1/2|app-1', 'ERNIE-Speed-8K', 'https://qianfan.baidubce.com/v2/chat/completions'],
  [ZHIPU_V3, 'id.secret', 'glm-4.6', 'https://open.bigmodel.cn/api/paas/v4/chat/completions'],
  [
    PALM,
    'AIza',
    'gemini-2.5-flash',
    'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent',
  ],
  [PALM, 'AIza', 'PaLM-2', 'https://generativelanguage.googleapis.com/v1beta2/models/chat-bison-001:generateMessage'],
  [
    PALM,
    'AIza',
    'chat-bison-002',
    'https://generativelanguage.googleapis.com/v1beta2/models/chat-bison-002:generateMessage',
  ],
  [LIBRARY, 'k', 'gpt-4o', 'https://api.aiproxy.io/api/library/ask'],
]
test.each(successors)('type %d with key %s serves %s at %s', (type, key, model, url) => {
  const call = { type, base_url: '', key, token: 't' }
  expect(chatFor(call, model).url).toBe(url)
})

const keys: [type: number, key: string, code: string][] = [
  [WENXIN, 'only-one-part', 'key_parts'],
  [WENXIN, 'a|b|c', 'key_parts'],
  [WENXIN, 'a|', 'key_parts'],
  [WENXIN, '|b', 'key_parts'],
  [WENXIN, 'a|b c', 'key_characters'],
  [WENXIN, 'a|b,c', 'key_parts'],
  [WENXIN, KEY, ''],
  [WENXIN, 'bce-v3/ALTAK-1/2', ''],
  [WENXIN, 'bce-v3/ALTAK-1/2|app-1', ''],
  [ZHIPU_V3, 'no-dot', 'key_parts'],
  [ZHIPU_V3, 'id.', 'key_parts'],
  [ZHIPU_V3, '.secret', 'key_parts'],
  [ZHIPU_V3, 'id.secret.more', 'key_parts'],
  [ZHIPU_V3, 'id.secret', ''],
]
test.each(keys)('a channel of type %d with key %p has the flaw %p', async (type, key, code) => {
  const root = await setUp()
  const saved = await root.post('/api/channel/', { name: 'c', type, key, models: 'm' })
  expect(saved.code ?? '').toBe(code && `channel.${code}`)
  expect(saved.success).toBe(!code)
})

test('the library of a channel is required', async () => {
  const root = await setUp()
  const fields = { name: 'c', type: LIBRARY, key: 'k', models: 'm' }
  expect(await root.post('/api/channel/', fields)).toMatchObject({ code: 'channel.knowledge_base_required' })
})
