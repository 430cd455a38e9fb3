// @engine sqlite
/** The reservation sees every text of a body, wherever it stands. */
import { expect, test } from 'bun:test'
import { setOption } from '../../support/app/options.ts'
import { setPrice } from '../../support/app/prices.ts'
import { client } from '../../support/people/client.ts'
import { setUp } from '../../support/people/person.ts'
import { errorOf } from '../../support/people/responses.ts'
import { makeChannel } from '../../support/upstream/channel.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

type Json = Record<string, unknown>

const upstream = await startUpstream()
const models = [
  ...['gpt-4o-mini', 'gpt-3.5-turbo-instruct', 'text-embedding-3-small', 'gpt-image-1', 'gpt-4o-mini-tts'],
  ...['omni-moderation-latest', 'rerank-1'],
]
await channelTo(upstream, { models: models.join() })
await makeChannel(await setUp(), { type: 38, key: 'sk-upstream', base_url: upstream.url, models: 'rerank-1' })
const atOne = Object.fromEntries(models.map(model => [model, 1]))
await setPrice('ModelRatio', atOne)
await setPrice('CompletionRatio', atOne)
await setOption('PreConsumedQuota', 0)

const BALANCE = 60_000
/** Tens of thousands of tokens. */
const LONG = 'Some words of a prompt that is not short. '.repeat(10_000)

const model = 'gpt-4o-mini'
const user = { role: 'user', content: 'Hi' }
const chat = (fields: Json) => ({ model, max_tokens: 5, messages: [user], ...fields })
const response = (fields: Json) => ({ model, max_output_tokens: 5, input: 'Hi', ...fields })
const message = (fields: Json) => ({ model, max_tokens: 5, messages: [user], ...fields })
const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }]
const content = (fields: Json) => ({ contents, generationConfig: { maxOutputTokens: 5 }, ...fields })

const schema = (description: string) => ({ type: 'object', properties: { a: { type: 'string', description } } })
const names = (text: string) =>
  Object.fromEntries(
    text
      .split(' ')
      .slice(0, 12_000)
      .map((word, at) => [`${word}${at}`, {}]),
  )
const format = (schema: object) => ({ type: 'json_schema', json_schema: { name: 'a', schema } })

const MESSAGES = '/v1/messages'
const GEMINI = `/v1beta/models/${model}:generateContent`

const places: [path: string, place: string, body: (text: string) => Json][] = [
  ['/v1/chat/completions', 'a schema', text => chat({ response_format: format(schema(text)) })],
  ['/v1/chat/completions', 'names in a schema', text => chat({ response_format: format({ properties: names(text) }) })],
  [
    '/v1/chat/completions',
    'numbers in a schema',
    text => chat({ response_format: format({ enum: [...text].slice(0, 20_000).map((_, at) => 1_000_000 + at) }) }),
  ],
  ['/v1/chat/completions', 'a prediction', content => chat({ prediction: { type: 'content', content } })],
  ['/v1/chat/completions', 'an unknown field', text => chat({ documents: [text] })],
  ['/v1/chat/completions', 'an unknown text', instructions => chat({ instructions })],
  ['/v1/chat/completions', 'a field of extra_body', text => chat({ extra_body: { documents: [{ data: { text } }] } })],
  ['/v1/chat/completions', 'metadata', text => chat({ metadata: { text } })],
  ['/v1/chat/completions', 'an unknown field of a message', note => chat({ messages: [{ ...user, note }] })],
  ['/v1/chat/completions', 'a name', name => chat({ messages: [{ ...user, name }] })],
  ['/v1/chat/completions', 'a role', role => chat({ messages: [user, { role, content: 'Hi' }] })],
  [
    '/v1/chat/completions',
    'thoughts',
    reasoning_content => chat({ messages: [user, { role: 'assistant', content: 'Hi', reasoning_content }, user] }),
  ],
  [
    '/v1/chat/completions',
    'a tool',
    text => chat({ tools: [{ type: 'function', function: { name: 'f', parameters: schema(text) } }] }),
  ],
  [
    '/v1/responses',
    'a schema',
    text => response({ text: { format: { type: 'json_schema', name: 'a', schema: schema(text) } } }),
  ],
  ['/v1/responses', 'instructions', instructions => response({ instructions })],
  ['/v1/responses', 'an unknown item', text => response({ input: [{ type: 'hologram', text }] })],
  ['/v1/responses', 'an unknown field', text => response({ context: { text } })],
  [MESSAGES, 'a system prompt', system => message({ system })],
  [
    MESSAGES,
    'an output format',
    text => message({ output_config: { format: { type: 'json_schema', schema: schema(text) } } }),
  ],
  [
    MESSAGES,
    'a document',
    data =>
      message({
        messages: [
          {
            role: 'user',
            content: [
              { type: 'document', source: { type: 'text', media_type: 'text/plain', data } },
              { type: 'text', text: 'Hi' },
            ],
          },
        ],
      }),
  ],
  [MESSAGES, 'an unknown field', text => message({ context_hint: [text] })],
  [GEMINI, 'a schema', text => content({ generationConfig: { maxOutputTokens: 5, responseSchema: schema(text) } })],
  [GEMINI, 'a system instruction', text => content({ systemInstruction: { parts: [{ text }] } })],
  [GEMINI, 'an unknown field', text => content({ labels: { a: text } })],
  ['/v1/completions', 'a suffix', suffix => ({ model: 'gpt-3.5-turbo-instruct', prompt: 'Hi', max_tokens: 5, suffix })],
  [
    '/v1/completions',
    'an unknown field',
    text => ({ model: 'gpt-3.5-turbo-instruct', prompt: 'Hi', max_tokens: 5, context: [text] }),
  ],
  [
    '/v1/embeddings',
    'an unknown field',
    instruction => ({ model: 'text-embedding-3-small', input: 'Hi', instruction }),
  ],
  [
    '/v1/embeddings',
    'a title beside a text',
    title => ({ model: 'text-embedding-3-small', input: [{ text: 'Hi', title }] }),
  ],
  ['/v1/moderations', 'an unknown field', context => ({ model: 'omni-moderation-latest', input: 'Hi', context })],
  ['/v1/rerank', 'a query', query => ({ model: 'rerank-1', query, documents: ['a'] })],
  [
    '/v1/rerank',
    'an unknown field',
    instruction => ({ model: 'rerank-1', query: 'Hi', documents: ['a'], instruction }),
  ],
  [
    '/v1/images/generations',
    'an unknown field',
    negative_prompt => ({ model: 'gpt-image-1', prompt: 'Hi', negative_prompt }),
  ],
  [
    '/v1/audio/speech',
    'instructions',
    instructions => ({ model: 'gpt-4o-mini-tts', input: 'Hi', voice: 'alloy', instructions }),
  ],
]

test.each(places)('%s: %s is reserved for', async (path, _, body) => {
  const poor = await client({}, BALANCE)
  const calls = upstream.journal.length
  expect(await errorOf(await poor.postTo(path, body(LONG)))).toMatchObject({ status: 403 })
  expect(upstream.journal).toHaveLength(calls)
  const rich = await client()
  expect((await rich.postTo(path, body('a short text'))).status).not.toBe(403)
})

test('a long text of blanks where it was sampled once is counted whole', async () => {
  const [every, sample] = [32_768, 4096]
  const part = `${' '.repeat(sample)}${'知識 z9#q '.repeat(every)}`.slice(0, every)
  const poor = await client({}, BALANCE)
  const answer = await poor.chat({ model, max_tokens: 5, messages: [{ role: 'user', content: part.repeat(92) }] })
  expect(await errorOf(answer)).toMatchObject({ status: 403, code: 'insufficient_user_quota' })
})

test('a refusal for a hidden text says what the call may cost and what is left', async () => {
  const poor = await client({}, BALANCE)
  const { message } = await errorOf(await poor.postTo('/v1/chat/completions', chat({ documents: [LONG] })))
  expect(message).toMatch(/needs up to \$0\.\d+, \$0\.12 is left/)
})
