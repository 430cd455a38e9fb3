// @engine sqlite
/** Vercel's AI SDK, which checks every event by schema, in streamed agent loops by each of its providers over each maker. */
import { expect, test } from 'bun:test'
import { Gate } from '../support/clients/gate.ts'
import '../support/clients/grid.ts'
import { MemoryFiles } from '../support/clients/memory-files.ts'
import { packageFolder } from '../support/clients/packages.ts'
import type { ReturnedThought } from '../support/makers/conversation.ts'
import { type Maker, makers } from '../support/makers/maker.ts'

const STEPS_MAX = 8
const models: Record<Maker, string> = {
  openai: 'gpt-5.1',
  anthropic: 'claude-opus-4-8',
  gemini: 'gemini-3.1-pro-preview',
}

const folder = await packageFolder(
  'ai',
  '@ai-sdk/openai',
  '@ai-sdk/anthropic',
  '@ai-sdk/google',
  '@ai-sdk/openai-compatible',
)
/** The packages are no dependencies, so they have no types here. */
const load = async (name: string): Promise<any> => import(Bun.resolveSync(name, folder))
const { streamText, tool, jsonSchema, isStepCount, stepCountIs } = await load('ai')
const { createOpenAI } = await load('@ai-sdk/openai')
const { createAnthropic } = await load('@ai-sdk/anthropic')
const { createGoogle, createGoogleGenerativeAI = createGoogle } = await load('@ai-sdk/google')
const { createOpenAICompatible } = await load('@ai-sdk/openai-compatible')

interface Provider {
  model(base: string, apiKey: string, name: string): unknown
  options: object
  thoughts: Record<Maker, ReturnedThought>
}

const none = { openai: 'missing', anthropic: 'missing', gemini: 'missing' } as const
const signed = { openai: 'signed', anthropic: 'signed', gemini: 'signed' } as const

const providers: Record<string, Provider> = {
  'openai responses': {
    model: (base, apiKey, name) => createOpenAI({ baseURL: `${base}/v1`, apiKey }).responses(name),
    options: {
      openai: {
        store: false,
        include: ['reasoning.encrypted_content'],
        reasoningSummary: 'auto',
        forceReasoning: true,
      },
    },
    thoughts: signed,
  },
  'openai chat': {
    model: (base, apiKey, name) => createOpenAI({ baseURL: `${base}/v1`, apiKey }).chat(name),
    options: {},
    thoughts: { ...none, gemini: 'skipped' },
  },
  'openai-compatible': {
    model: (base, apiKey, name) => createOpenAICompatible({ name: 'tollgate', baseURL: `${base}/v1`, apiKey })(name),
    options: {},
    thoughts: { ...none, gemini: 'signed' },
  },
  anthropic: {
    model: (base, apiKey, name) => createAnthropic({ baseURL: `${base}/v1`, apiKey })(name),
    options: { anthropic: { thinking: { type: 'adaptive' } } },
    thoughts: { ...signed, openai: 'missing' },
  },
  google: {
    model: (base, apiKey, name) => createGoogleGenerativeAI({ baseURL: `${base}/v1beta`, apiKey })(name),
    options: { google: { thinkingConfig: { includeThoughts: true } } },
    thoughts: { ...signed, openai: 'missing' },
  },
}

const gate = await Gate.open()

for (const [name, { model, options, thoughts }] of Object.entries(providers))
  for (const maker of makers)
    test(`ai by ${name} reads every event over ${maker}`, async () => {
      const mock = gate.mocks[maker]
      mock.begin()
      const key = await gate.keyFor(maker)
      const files = new MemoryFiles()
      const result = streamText({
        model: model(gate.url, key.key, models[maker]),
        prompt: files.prompt,
        providerOptions: options,
        maxRetries: 0,
        stopWhen: (isStepCount ?? stepCountIs)(STEPS_MAX),
        tools: Object.fromEntries(
          files.tools.map(({ name, description, schema }) => {
            const execute = (input: any) => files.run(name, input)
            return [name, tool({ description, inputSchema: jsonSchema(schema), execute })]
          }),
        ),
      })
      const errors: unknown[] = []
      for await (const part of result.fullStream) if (/error/.test(part.type)) errors.push(part)
      expect(errors).toEqual([])
      await files.expectPlayed(await result.text, mock, thoughts[maker], gate, key)
    })
