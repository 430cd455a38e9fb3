/** Codex CLI. https://developers.openai.com/codex/config-reference (read 2026-11) */
import { type ClientCommand, type Connection, jsonLines, type RealClient } from './client-run.ts'
import { programOf } from './packages.ts'

const configOf = ({ base, model }: Connection) => `model = "${model}"
model_provider = "tollgate"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.tollgate]
name = "Tollgate"
base_url = "${base}/v1"
env_key = "TOLLGATE_KEY"
wire_api = "responses"
request_max_retries = 2
stream_max_retries = 1
`

export const codex: RealClient = {
  id: 'codex',
  label: 'Codex CLI',
  package: '@openai/codex',
  native: 'openai',
  models: { openai: 'gpt-5.1', anthropic: 'claude-opus-4-8', gemini: 'gemini-3.1-pro-preview' },
  async command(to, prompt): Promise<ClientCommand> {
    return {
      program: await programOf('@openai/codex', 'codex'),
      args: ['exec', '--json', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', prompt],
      env: { TOLLGATE_KEY: to.key },
      files: { '.codex/config.toml': configOf(to) },
    }
  },
  tokens(out) {
    const usage = jsonLines(out).findLast(({ type }) => type === 'turn.completed')?.usage
    return usage && { prompt: usage.input_tokens, cached: usage.cached_input_tokens, output: usage.output_tokens }
  },
  messages: { overflow: /ran out of room in the model's context window/, broken: /overloaded|server had an error/i },
  answer: ({ out }) =>
    jsonLines(out)
      .map(({ item, error, message }) => item?.text ?? item?.message ?? error?.message ?? message ?? '')
      .join('\n'),
}
