/** Gemini CLI. https://geminicli.com/docs/reference/configuration (read 2026-11) */

import type { ReportedTokens } from '../makers/conversation.ts'
import { type ClientCommand, type Connection, lastJson, type RealClient } from './client-run.ts'
import { programOf } from './packages.ts'

const settings = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  privacy: { usageStatisticsEnabled: false },
  general: { enableAutoUpdate: false },
}

export const geminiCli: RealClient = {
  id: 'gemini-cli',
  label: 'Gemini CLI',
  package: '@google/gemini-cli',
  native: 'gemini',
  models: { gemini: 'gemini-3.1-pro-preview', openai: 'gpt-5.1', anthropic: 'claude-opus-4-8' },
  async command({ base, key, model }: Connection, prompt): Promise<ClientCommand> {
    return {
      program: await programOf('@google/gemini-cli', 'gemini'),
      args: ['-p', prompt, '--output-format', 'json', '--approval-mode', 'yolo', ...(model ? ['-m', model] : [])],
      env: { GEMINI_API_KEY: key, GOOGLE_GEMINI_BASE_URL: base, GEMINI_CLI_TRUST_WORKSPACE: 'true' },
      files: { '.gemini/settings.json': JSON.stringify(settings) },
    }
  },
  tokens(out) {
    const models: { tokens: Record<string, number> }[] = Object.values(lastJson(out)?.stats?.models ?? {})
    if (!models.length) return
    const sum = (count: (tokens: Record<string, number>) => number) =>
      models.reduce((total, { tokens }) => total + count(tokens), 0)
    const of = (name: string) => sum(tokens => tokens[name] ?? 0)
    return {
      prompt: of('prompt'),
      cached: of('cached'),
      output: of('candidates') + of('thoughts'),
    } satisfies ReportedTokens
  },
  // It tries a broken stream again without a word, and counts it among its errors.
  messages: { overflow: /exceeds the (?:maximum|context window)|too long/, broken: /NO_FINISH_REASON/ },
  answer: ({ out, err }) => lastJson(out)?.response ?? lastJson(err)?.error?.message ?? '',
}
