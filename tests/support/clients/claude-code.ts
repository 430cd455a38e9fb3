/** Claude Code. https://docs.claude.com/en/docs/claude-code/settings (read 2026-11) */
import { type ClientCommand, type Connection, lastJson, type RealClient } from './client-run.ts'
import { programOf } from './packages.ts'

export const claudeCode: RealClient = {
  id: 'claude-code',
  label: 'Claude Code',
  package: '@anthropic-ai/claude-code',
  native: 'anthropic',
  models: {},
  async command({ base, key, model }: Connection, prompt: string): Promise<ClientCommand> {
    return {
      program: await programOf('@anthropic-ai/claude-code', 'claude'),
      args: ['-p', prompt, '--output-format', 'json', '--allowedTools', 'Read,Write,Bash'],
      env: {
        ANTHROPIC_BASE_URL: base,
        ANTHROPIC_AUTH_TOKEN: key,
        ...(model && { ANTHROPIC_MODEL: model }),
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        CLAUDE_CODE_MAX_RETRIES: '2',
        DISABLE_TELEMETRY: '1',
        DISABLE_AUTOUPDATER: '1',
      },
    }
  },
  tokens(out) {
    const usage = lastJson(out)?.usage
    if (!usage) return
    const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens } = usage
    const prompt = input_tokens + cache_creation_input_tokens + cache_read_input_tokens
    return { prompt, cached: cache_read_input_tokens, output: output_tokens }
  },
  messages: { overflow: /prompt is too long/i, broken: /overloaded|server had an error/i },
  answer: ({ out }) => lastJson(out)?.result ?? '',
}
