/** A first call with an API key, as programs: curl, Python, Node, Anthropic's SDK, Claude Code. */

interface FirstCall {
  /** Base URL of the API, without `/v1`. */
  base: string
  key: string
  model?: string
}

const MODEL = 'gpt-4o-mini'

const messages = [{ role: 'user', content: 'Hello' }]

/** Body of the call. */
export const firstBody = (model: string) => JSON.stringify({ model, messages })

export const firstCall = ({ base, key, model = MODEL }: FirstCall): string =>
  [
    `curl ${base}/v1/chat/completions \\`,
    `  -H "Authorization: Bearer ${key}" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d ${inShell(firstBody(model))}`,
  ].join('\n')

const python = ({ base, key, model = MODEL }: FirstCall) => `from openai import OpenAI

client = OpenAI(
    base_url=${quoted(`${base}/v1`)},
    api_key=${quoted(key)},
)
reply = client.chat.completions.create(
    model=${quoted(model)},
    messages=[{"role": "user", "content": "Hello"}],
)
print(reply.choices[0].message.content)`

const node = ({ base, key, model = MODEL }: FirstCall) => `import OpenAI from "openai"

const client = new OpenAI({
  baseURL: ${quoted(`${base}/v1`)},
  apiKey: ${quoted(key)},
})
const reply = await client.chat.completions.create({
  model: ${quoted(model)},
  messages: [{ role: "user", content: "Hello" }],
})
process.stdout.write(reply.choices[0].message.content)`

const anthropic = ({ base, key, model = MODEL }: FirstCall) => `import anthropic

client = anthropic.Anthropic(
    base_url=${quoted(base)},
    api_key=${quoted(key)},
)
message = client.messages.create(
    model=${quoted(model)},
    max_tokens=1024,
    messages=[{"role": "user", "content": "Hello"}],
)
print(message.content[0].text)`

const claudeCode = ({ base, key, model = MODEL }: FirstCall) =>
  [
    `export ANTHROPIC_BASE_URL=${base}`,
    `export ANTHROPIC_AUTH_TOKEN=${key}`,
    `export ANTHROPIC_MODEL=${inShell(model)}`,
    'claude',
  ].join('\n')

export const snippets = [
  { id: 'curl', label: 'curl', write: firstCall },
  { id: 'python', label: 'Python', write: python },
  { id: 'node', label: 'Node', write: node },
  { id: 'anthropic', label: 'Anthropic', write: anthropic },
  { id: 'claude-code', label: 'Claude Code', write: claudeCode },
] as const

/** Text of JSON is text of Python and JavaScript. */
const quoted = (text: string) => JSON.stringify(text)

const inShell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
