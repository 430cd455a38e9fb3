// @engine sqlite
/**
 * The strict server of Vertex AI is proven by the clients of the vendors: what Google's and Anthropic's own clients
 * send to Vertex AI passes its rules, and they understand what it returns.
 */
import { afterEach, expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import { AnthropicVertex } from '@anthropic-ai/vertex-sdk'
import { GoogleGenAI, type GoogleGenAIOptions } from '@google/genai'
import type { Fixture } from '../support/upstream/fixtures.ts'
import { serviceAccount } from '../support/upstream/google-account.ts'
import { ACCESS_TOKEN } from '../support/upstream/google-token.ts'
import { server } from './fixtures/vertex/server.ts'

const upstream = await server.open!(server)
/** Google's own client names the one address that it knows. */
const key = serviceAccount('https://oauth2.googleapis.com')
const { client_email, private_key } = JSON.parse(key)

afterEach(() => expect(upstream.violations()).toEqual([]))

const fixture = async (name: string): Promise<Fixture> =>
  Bun.file(`${import.meta.dir}/fixtures/vertex/${name}.json`).json()

/** Lets the server answer as recorded. @returns what was to be sent */
async function play(name: string, channel = { key }): Promise<Fixture['sent']> {
  const { answers, sent } = await fixture(name)
  upstream.expects(channel, answers)
  return sent
}

/** What was received, as a fixture has it. */
const target = () => `${upstream.received().method} ${upstream.received().target}`

/** Sends the token request of Google's client to the server of the test. */
function fetchToken(url: URL | string, init: RequestInit): Promise<Response> {
  expect(String(url)).toBe('https://oauth2.googleapis.com/token')
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return fetch(`${upstream.url}/token`, { method: 'POST', body: String(init.body), headers })
}

const accountOf = (private_key: string) => ({
  credentials: { client_email, private_key },
  clientOptions: { transporterOptions: { fetchImplementation: fetchToken } } as object,
})

const google = (options: GoogleGenAIOptions = {}) =>
  new GoogleGenAI({
    vertexai: true,
    project: 'test-project',
    location: 'us-central1',
    googleAuthOptions: accountOf(private_key),
    httpOptions: { baseUrl: upstream.url, apiVersion: 'v1' },
    ...options,
  })

const model = 'gemini-2.5-flash'
const contents = 'Say hello'

test('Google’s client earns a token and chats', async () => {
  const { to } = await play('chat')
  const response = await google().models.generateContent({ model, contents })
  expect(response.text).toBe('Hello')
  expect(target()).toBe(to)
  expect(upstream.received().headers.authorization).toBe(`Bearer ${ACCESS_TOKEN}`)
})

test('Google’s client streams tool calls', async () => {
  const { to } = await play('tools-streamed')
  const events = await Array.fromAsync(await google().models.generateContentStream({ model, contents }))
  expect(events.flatMap(event => event.functionCalls ?? []).map(call => call.name)).toEqual(['get_weather', 'get_time'])
  expect(target()).toBe(to)
})

test('Google’s client embeds texts one by one', async () => {
  const sent = await play('embeddings-of-google-clients')
  const config = { taskType: 'RETRIEVAL_DOCUMENT', title: 'A', outputDimensionality: 2 }
  const response = await google().models.embedContent({ model: 'gemini-embedding-001', contents: 'one', config })
  expect(response.embeddings?.[0]?.values).toEqual([0.5, -1])
  expect(target()).toBe(sent.to)
  expect(JSON.parse(upstream.received().body)).toEqual(sent.body)
})

test('Google’s client makes pictures', async () => {
  const { to } = await play('images')
  const config = { numberOfImages: 2, aspectRatio: '16:9' }
  const response = await google().models.generateImages({ model: 'imagen-4.0-image', prompt: 'A lighthouse', config })
  expect(response.generatedImages?.map(({ image }) => image?.imageBytes)).toEqual(['QUJD', 'REVG'])
  expect(target()).toBe(to)
})

test('Google’s client sends a key of express mode in a header', async () => {
  const { channel } = await fixture('express-key')
  const { to } = await play('express-key', channel as { key: string })
  const express = { project: undefined, location: undefined, googleAuthOptions: undefined, apiKey: channel!.key }
  const response = await google(express).models.generateContent({ model, contents })
  expect(response.text).toBe('Hello')
  expect(target()).toBe(to)
})

const authorization = { authorization: `Bearer ${ACCESS_TOKEN}` }
const claude = () =>
  new AnthropicVertex({
    baseURL: `${upstream.url}/v1`,
    region: 'us-central1',
    projectId: 'test-project',
    authClient: { getRequestHeaders: async () => new Headers(authorization) } as never,
    maxRetries: 0,
  })
const ask = {
  model: 'claude-sonnet-4-5@20250929',
  max_tokens: 100,
  messages: [{ role: 'user' as const, content: 'Say hello' }],
}

test('Anthropic’s client for Vertex AI asks for a message', async () => {
  const { to } = await play('claude-message')
  const response = await claude().messages.create(ask)
  expect(response.content).toMatchObject([{ type: 'text', text: 'Hello' }])
  expect(target()).toBe(to)
})

test('Anthropic’s client for Vertex AI streams a message', async () => {
  const { to } = await play('claude-message-streamed')
  const response = await claude().messages.stream(ask).finalMessage()
  expect(response.content.map(({ type }) => type)).toEqual(['thinking', 'text', 'tool_use'])
  expect(target()).toBe(to)
})

test('the token endpoint refuses an assertion that another key has signed', async () => {
  await play('chat')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const forged = accountOf(String(privateKey.export({ type: 'pkcs8', format: 'pem' })))
  const refused = google({ googleAuthOptions: forged }).models.generateContent({ model, contents })
  await expect(refused).rejects.toThrow()
  expect(upstream.violations()).toEqual([expect.stringContaining('signature verification failed')])
  upstream.expects({ key }, {})
})
