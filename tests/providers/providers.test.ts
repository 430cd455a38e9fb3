// @engine sqlite
/** Channel types: all are known by name, those whose formats are spoken can be called. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { isAvailable, keysIn, providerOf, providers, requestFor } from '../../src/providers/index.ts'

const body = { model: 'asked', messages: [{ role: 'user', content: 'hi' }] }
const line = (fields: object = {}) => ({ type: 1, base_url: '', key: 'sk-1', ...fields })

test('every type has one number and one name', () => {
  expect(providers).toHaveLength(38)
  expect(new Set(providers.map(provider => provider.type)).size).toBe(38)
  expect(new Set(providers.map(provider => provider.label)).size).toBe(38)
  expect(providers.filter(isAvailable).map(provider => provider.type)).toEqual([
    1, 3, 4, 8, 14, 19, 20, 22, 24, 25, 26, 31, 35, 40, 42, 43, 45, 46, 47, 48, 49,
  ])
})

test('every type that can be called is played against a server as strict as its own', async () => {
  const files = [...new Bun.Glob('*.test.ts').scanSync(import.meta.dir)]
  const texts = await Promise.all(files.map(file => Bun.file(join(import.meta.dir, file)).text()))
  const played = [...texts.join('\n').matchAll(/await speaks\('\w+', \{\s+channel: \{ type: (\d+)/g)].map(
    ([, type]) => +type!,
  )
  const callable = providers.filter(isAvailable).map(({ type }) => type)
  expect(played.sort((a, b) => a - b)).toEqual(callable)
})

const bases: [base: string, url: string][] = [
  ['', 'https://api.openai.com/v1/chat/completions'],
  ['https://a.example', 'https://a.example/v1/chat/completions'],
  ['https://a.example//', 'https://a.example/v1/chat/completions'],
  ['https://a.example/v1', 'https://a.example/v1/chat/completions'],
  ['https://a.example/api/paas/v4', 'https://a.example/api/paas/v4/chat/completions'],
  ['https://a.example/compatible-mode/v1/', 'https://a.example/compatible-mode/v1/chat/completions'],
  [
    'https://gateway.ai.cloudflare.com/v1/x/y/openai',
    'https://gateway.ai.cloudflare.com/v1/x/y/openai/chat/completions',
  ],
]
test.each(bases)('OpenAI under %p', (base_url, url) => {
  expect(requestFor(line({ base_url }), 'chat', 'm', body)?.url).toBe(url)
})

test('a custom address is taken as it is, with the model in it', () => {
  const base_url = 'https://a.example/deploy/{model}/chat?key=1'
  expect(requestFor(line({ type: 8, base_url }), 'chat', 'my model', body)?.url).toBe(
    'https://a.example/deploy/my%20model/chat?key=1',
  )
})

test('the key, the organisation and the model go where they belong', () => {
  const request = requestFor(line({ openai_organization: 'org' }), 'chat', 'm', body)!
  expect(request.headers).toEqual({
    'content-type': 'application/json',
    authorization: 'Bearer sk-1',
    'openai-organization': 'org',
  })
  expect(JSON.parse(String(request.body))).toEqual({ ...body, model: 'm' })
})

test('an override may change anything but whether it is streamed', () => {
  const request = requestFor(line({ param_override: { top_p: 0, stream: true } }), 'chat', 'm', body)!
  expect(JSON.parse(String(request.body))).toEqual({ ...body, model: 'm', top_p: 0 })
})

test('a type that is not spoken yet cannot be asked', () => {
  expect(requestFor(line({ type: 15 }), 'chat', 'm', body)).toBeUndefined()
  expect(requestFor(line({ type: 999 }), 'chat', 'm', body)).toBeUndefined()
})

test('keys are separated by commas, except where they contain them', () => {
  expect(keysIn(providerOf(1)!, ' a, b ,,c\n')).toEqual(['a', 'b', 'c'])
  expect(keysIn(providerOf(41)!, '{"a":1,"b":2}')).toEqual(['{"a":1,"b":2}'])
})
