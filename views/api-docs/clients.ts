/** How popular clients are connected. Menus and fields are named as the clients name them in English. */
import type { MessageKey } from '../../src/locales/message-key.ts'
import { firstCall } from '../tokens/snippets.ts'
import type { ApiSetting } from './view.ts'

export interface ClientGuide {
  id: string
  label: string
  /** Where to click, or which file to edit. */
  where: MessageKey
  /** Fields of a form, by label. */
  fields?(setting: ApiSetting): [label: string, value: string][]
  /** Is copied whole, so nothing of another place stands in it. */
  file?: { path: string; text(setting: ApiSetting): string }
  /** A program, or lines for the shell. */
  code?(setting: ApiSetting): string
}

const v1 = ({ base }: ApiSetting) => `${base}/v1`

/** The newest by name of the key's models that the client is made for, or else the one of all examples. */
const modelOf = ({ models, model }: ApiSetting, own: RegExp) =>
  models
    .filter(name => own.test(name))
    .sort()
    .at(-1) ?? model

const openCodeConfig = (setting: ApiSetting) => {
  const options = { baseURL: v1(setting), apiKey: setting.key }
  const tollgate = { npm: '@ai-sdk/openai-compatible', name: 'Tollgate', options, models: { [setting.model]: {} } }
  const config = {
    $schema: 'https://opencode.ai/config.json',
    model: `tollgate/${setting.model}`,
    provider: { tollgate },
  }
  return JSON.stringify(config, null, 2)
}

export const clientGuides: readonly ClientGuide[] = [
  { id: 'curl', label: 'curl', where: 'docs.at_curl', code: firstCall },
  {
    id: 'python',
    label: 'Python',
    where: 'docs.at_python',
    code: setting => `from openai import OpenAI

client = OpenAI(base_url="${v1(setting)}", api_key="${setting.key}")
answer = client.chat.completions.create(
    model="${setting.model}",
    messages=[{"role": "user", "content": "Hello"}],
)
print(answer.choices[0].message.content)`,
  },
  {
    id: 'node',
    label: 'Node',
    where: 'docs.at_node',
    code: setting => `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: '${v1(setting)}', apiKey: '${setting.key}' })
const answer = await client.chat.completions.create({
  model: '${setting.model}',
  messages: [{ role: 'user', content: 'Hello' }],
})
process.stdout.write(answer.choices[0].message.content)`,
  },
  {
    id: 'claude-code',
    label: 'Claude Code',
    where: 'docs.at_claude_code',
    code: setting => `export ANTHROPIC_BASE_URL="${setting.base}"
export ANTHROPIC_AUTH_TOKEN="${setting.key}"
export ANTHROPIC_MODEL="${modelOf(setting, /^claude-(?:opus|sonnet)-/)}"
claude`,
  },
  {
    id: 'codex',
    label: 'Codex CLI',
    where: 'docs.at_codex',
    file: {
      path: '~/.codex/config.toml',
      text: setting => `model = "${modelOf(setting, /^gpt-[5-9][\d.]*(?:-codex)?$/)}"
model_provider = "tollgate"

[model_providers.tollgate]
name = "Tollgate"
base_url = "${v1(setting)}"
env_key = "TOLLGATE_KEY"
wire_api = "responses"`,
    },
    code: setting => `export TOLLGATE_KEY="${setting.key}"
codex`,
  },
  {
    id: 'gemini-cli',
    label: 'Gemini CLI',
    where: 'docs.at_gemini_cli',
    file: {
      path: '~/.gemini/settings.json',
      text: () => '{ "security": { "auth": { "selectedType": "gemini-api-key" } } }',
    },
    // It asks for gemini-3.1-pro-preview where gemini-3-pro-preview is named.
    code: setting => `export GOOGLE_GEMINI_BASE_URL="${setting.base}"
export GEMINI_API_KEY="${setting.key}"
export GEMINI_MODEL="${modelOf(setting, /^gemini-(?!3-pro-preview).*-pro/)}"
gemini`,
  },
  {
    id: 'opencode',
    label: 'opencode',
    where: 'docs.at_opencode',
    file: { path: '~/.config/opencode/opencode.json', text: openCodeConfig },
  },
  {
    id: 'qwen-code',
    label: 'Qwen Code',
    where: 'docs.at_qwen_code',
    file: {
      path: '~/.qwen/settings.json',
      text: () => '{ "security": { "auth": { "selectedType": "openai" } } }',
    },
    code: setting => `export OPENAI_BASE_URL="${v1(setting)}"
export OPENAI_API_KEY="${setting.key}"
export OPENAI_MODEL="${modelOf(setting, /^qwen/)}"
qwen`,
  },
  {
    id: 'aider',
    label: 'aider',
    where: 'docs.at_aider',
    code: setting => `export OPENAI_API_BASE="${v1(setting)}"
export OPENAI_API_KEY="${setting.key}"
aider --model "openai/${setting.model}"`,
  },
  {
    id: 'cursor',
    label: 'Cursor',
    where: 'docs.at_cursor',
    fields: setting => [
      ['OpenAI API Key', setting.key],
      ['Override OpenAI Base URL', v1(setting)],
    ],
  },
  {
    id: 'cline',
    label: 'Cline',
    where: 'docs.at_cline',
    fields: setting => [
      ['API Provider', 'OpenAI Compatible'],
      ['Base URL', v1(setting)],
      ['API Key', setting.key],
      ['Model ID', setting.model],
    ],
  },
  {
    id: 'continue',
    label: 'Continue',
    where: 'docs.at_continue',
    file: {
      path: '~/.continue/config.yaml',
      text: setting => `name: Tollgate
version: 1.0.0
schema: v1
models:
  - name: Tollgate
    provider: openai
    model: ${setting.model}
    apiBase: ${v1(setting)}
    apiKey: ${setting.key}`,
    },
  },
  {
    id: 'cherry-studio',
    label: 'Cherry Studio',
    where: 'docs.at_cherry_studio',
    fields: ({ base, key }) => [
      ['Provider Type', 'OpenAI'],
      ['API Key', key],
      ['API Host', base],
    ],
  },
  {
    id: 'lobechat',
    label: 'LobeChat',
    where: 'docs.at_lobechat',
    fields: setting => [
      ['API Key', setting.key],
      ['API Proxy URL', v1(setting)],
    ],
  },
  {
    id: 'open-webui',
    label: 'Open WebUI',
    where: 'docs.at_open_webui',
    fields: setting => [
      ['URL', v1(setting)],
      ['Key', setting.key],
    ],
  },
  {
    id: 'chatbox',
    label: 'Chatbox',
    where: 'docs.at_chatbox',
    fields: ({ base, key, model }) => [
      ['API Mode', 'OpenAI API Compatible'],
      ['API Key', key],
      ['API Host', base],
      ['Model', model],
    ],
  },
  {
    id: 'nextchat',
    label: 'NextChat',
    where: 'docs.at_nextchat',
    fields: ({ base, key, model }) => [
      ['OpenAI Endpoint', base],
      ['OpenAI API Key', key],
      ['Custom Models', `+${model}`],
    ],
  },
  {
    id: 'langchain',
    label: 'LangChain',
    where: 'docs.at_langchain',
    code: setting => `from langchain_openai import ChatOpenAI

chat = ChatOpenAI(model="${setting.model}", base_url="${v1(setting)}", api_key="${setting.key}")
print(chat.invoke("Hello").content)`,
  },
  {
    id: 'ai-sdk',
    label: 'Vercel AI SDK',
    where: 'docs.at_ai_sdk',
    code: setting => `import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText } from 'ai'

const tollgate = createOpenAICompatible({
  name: 'tollgate',
  baseURL: '${v1(setting)}',
  apiKey: '${setting.key}',
})
const { text } = await generateText({ model: tollgate('${setting.model}'), prompt: 'Hello' })
process.stdout.write(text)`,
  },
]
