/** opencode with each of its wires. https://opencode.ai/docs/providers (read 2026-11) */

import type { Maker } from '../makers/maker.ts'
import type { ClientCommand, Connection, RealClient } from './client-run.ts'
import { jsonLines } from './client-run.ts'
import { programOf } from './packages.ts'

/** It asks models of names that it does not know for no thoughts of its own accord. */
const reasoning = {
  forceReasoning: true,
  reasoningEffort: 'medium',
  reasoningSummary: 'auto',
  include: ['reasoning.encrypted_content'],
}

const wires: { id: string; npm: string; native: Maker; path: string; options?: object }[] = [
  { id: 'compatible', npm: '@ai-sdk/openai-compatible', native: 'openai', path: '/v1' },
  { id: 'openai', npm: '@ai-sdk/openai', native: 'openai', path: '/v1', options: reasoning },
  {
    id: 'anthropic',
    npm: '@ai-sdk/anthropic',
    native: 'anthropic',
    path: '/v1',
    options: { thinking: { type: 'adaptive' } },
  },
  {
    id: 'google',
    npm: '@ai-sdk/google',
    native: 'gemini',
    path: '/v1beta',
    options: { thinkingConfig: { includeThoughts: true } },
  },
]

export const opencodes: RealClient[] = wires.map(({ id, npm, native, path, options = {} }) => ({
  id: `opencode-${id}`,
  label: `opencode, ${npm}`,
  package: 'opencode-ai',
  native,
  models: { openai: 'gpt-5.1', anthropic: 'claude-opus-4-8', gemini: 'gemini-3.1-pro-preview' },
  async command({ base, key, model }: Connection, prompt: string): Promise<ClientCommand> {
    const provider = {
      npm,
      name: 'Tollgate',
      options: { baseURL: base + path, apiKey: key },
      models: { [model]: { reasoning: true, options } },
    }
    const config = {
      autoupdate: false,
      share: 'disabled',
      permission: 'allow',
      small_model: `tollgate/${model}`,
      provider: { tollgate: provider },
    }
    return {
      program: await programOf('opencode-ai', 'opencode'),
      args: ['run', '--format', 'json', '-m', `tollgate/${model}`, prompt],
      env: { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' },
      files: { '.config/opencode/opencode.json': JSON.stringify(config) },
    }
  },
  tokens(out) {
    const steps = jsonLines(out).filter(({ type }) => type === 'step_finish')
    if (!steps.length) return
    const sum = (count: (tokens: any) => number) => steps.reduce((total, { part }) => total + count(part.tokens), 0)
    return {
      prompt: sum(({ input, cache }) => input + cache.read + cache.write),
      cached: sum(({ cache }) => cache.read),
      output: sum(({ output, reasoning }) => output + reasoning),
    }
  },
  messages: { overflow: /ContextOverflowError/, broken: /overloaded|server had an error/i },
  answer: ({ out }) =>
    jsonLines(out)
      .map(({ part, error }) => part?.text ?? error?.data?.message ?? error?.message ?? '')
      .join('\n'),
}))
