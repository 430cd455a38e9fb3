// @engine sqlite
/** The makers' SDKs in conversations of several streamed turns with parallel tools, over each maker. */
import { expect, test } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import { type FunctionDeclaration, GoogleGenAI, type Part } from '@google/genai'
import OpenAI from 'openai'
import { Gate } from '../support/clients/gate.ts'
import '../support/clients/grid.ts'
import { MemoryFiles } from '../support/clients/memory-files.ts'
import type { ReturnedThought } from '../support/makers/conversation.ts'
import { type Maker, makers } from '../support/makers/maker.ts'

const models: Record<Maker, string> = {
  openai: 'gpt-5.1',
  anthropic: 'claude-opus-4-8',
  gemini: 'gemini-3.1-pro-preview',
}

const gate = await Gate.open()

async function begin(maker: Maker) {
  gate.mocks[maker].begin()
  return { key: await gate.keyFor(maker), files: new MemoryFiles(), mock: gate.mocks[maker] }
}

const ofGoogle: Record<Maker, ReturnedThought> = { openai: 'missing', anthropic: 'signed', gemini: 'signed' }

for (const maker of makers)
  test(`a streamed chat of @google/genai goes on over ${maker}`, async () => {
    const { key, files, mock } = await begin(maker)
    const google = new GoogleGenAI({ apiKey: key.key, httpOptions: { baseUrl: gate.url } })
    const functionDeclarations: FunctionDeclaration[] = files.tools.map(({ name, description, schema }) => ({
      ...{ name, description, parametersJsonSchema: schema },
    }))
    const config = { tools: [{ functionDeclarations }], thinkingConfig: { includeThoughts: true } }
    const chat = google.chats.create({ model: models[maker], config })
    let message: string | Part[] = files.prompt
    let last = ''
    for (;;) {
      const calls: Part[] = []
      last = ''
      for await (const chunk of await chat.sendMessageStream({ message })) {
        for (const part of chunk.candidates?.[0]?.content?.parts ?? []) {
          if (part.functionCall) calls.push(part)
          if (!part.thought) last += part.text ?? ''
        }
      }
      if (!calls.length) break
      message = calls.map(({ functionCall: call }) => ({
        functionResponse: { id: call!.id, name: call!.name, response: { output: files.run(call!.name!, call!.args!) } },
      }))
    }
    await files.expectPlayed(last, mock, ofGoogle[maker], gate, key)
  })

const ofAnthropic: Record<Maker, ReturnedThought> = { openai: 'missing', anthropic: 'signed', gemini: 'signed' }

for (const maker of makers)
  test(`the streamed tool runner of @anthropic-ai/sdk goes on over ${maker}`, async () => {
    const { key, files, mock } = await begin(maker)
    const anthropic = new Anthropic({ authToken: key.key, apiKey: null, baseURL: gate.url, maxRetries: 0 })
    const runner = anthropic.beta.messages.toolRunner({
      model: models[maker],
      max_tokens: 8_000,
      thinking: { type: 'adaptive' },
      stream: true,
      messages: [{ role: 'user', content: files.prompt }],
      tools: files.tools.map(({ name, description, schema }) => ({
        ...{ type: 'custom' as const, name, description, input_schema: schema },
        parse: (input: unknown) => input as Record<string, string>,
        run: (input: Record<string, string>) => files.run(name, input),
      })),
    })
    let last = ''
    for await (const stream of runner) {
      const { content } = await stream.finalMessage()
      last = content.map(block => (block.type === 'text' ? block.text : '')).join('')
    }
    await files.expectPlayed(last, mock, ofAnthropic[maker], gate, key)
  })

test('the models list of @anthropic-ai/sdk has its shape by Bearer', async () => {
  const { key } = await gate.keyFor('anthropic')
  const anthropic = new Anthropic({ authToken: key, apiKey: null, baseURL: gate.url })
  const page = await anthropic.models.list()
  expect(page.has_more).toBe(false)
  const model = page.data.find(({ id }) => id === 'claude-opus-4-8')
  expect(model).toMatchObject({ type: 'model', display_name: expect.any(String), created_at: expect.any(String) })
  expect(await anthropic.models.retrieve('claude-opus-4-8')).toMatchObject({ type: 'model', id: 'claude-opus-4-8' })
})

for (const maker of makers)
  test(`streamed Responses of openai go on over ${maker}`, async () => {
    const { key, files, mock } = await begin(maker)
    const openai = new OpenAI({ apiKey: key.key, baseURL: `${gate.url}/v1`, maxRetries: 0 })
    const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: files.prompt }]
    let last = ''
    for (;;) {
      const stream = openai.responses.stream({
        ...{ model: models[maker], input, store: false, include: ['reasoning.encrypted_content'] },
        reasoning: { effort: 'medium', summary: 'auto' },
        tools: files.tools.map(({ name, description, schema }) => ({
          ...{ type: 'function' as const, name, description, parameters: schema, strict: true },
        })),
      })
      const response = await stream.finalResponse()
      last = response.output_text
      input.push(...(response.output as OpenAI.Responses.ResponseInputItem[]))
      const calls = response.output.filter(item => item.type === 'function_call')
      if (!calls.length) break
      for (const { call_id, name, arguments: args } of calls)
        input.push({ type: 'function_call_output', call_id, output: files.run(name, JSON.parse(args)) })
    }
    await files.expectPlayed(last, mock, 'signed', gate, key)
  })

test('bills of the SDKs are clean', async () => expect(await gate.audit()).toStartWith('audit: clean'))
