/** A chat request as a program: curl, Python, Node. */
import type { ChatBody } from './conversation.ts'

/** Stands for the reader's API key. */
export const KEY_PLACEHOLDER = '<YOUR_KEY>'

/** Stands for the bytes of a picture, which would fill the screen. */
const BASE64_PLACEHOLDER = '<BASE64>'

/** Without the group, which an API key brings along. */
function bodyText({ group: _, ...body }: ChatBody): string {
  const text = JSON.stringify(body, undefined, 2)
  return text.replace(/(data:image\/\w+;base64,)[\w+/=]+/g, `$1${BASE64_PLACEHOLDER}`)
}

const inShell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

const curl = (base: string, body: ChatBody) => `curl ${base}/chat/completions \\
  -H "Authorization: Bearer ${KEY_PLACEHOLDER}" \\
  -H "Content-Type: application/json" \\
  -d ${inShell(bodyText(body))}`

/** JSON without booleans is Python. */
function python(base: string, { stream: _, ...body }: ChatBody): string {
  const fields = Object.entries(JSON.parse(bodyText(body as ChatBody)) as Record<string, unknown>)
  const given = fields.map(([name, value]) => `    ${name}=${indented(JSON.stringify(value, undefined, 4), 4)},`)
  return `from openai import OpenAI

client = OpenAI(base_url=${JSON.stringify(base)}, api_key="${KEY_PLACEHOLDER}")

stream = client.chat.completions.create(
${given.join('\n')}
    stream=True,
)
for chunk in stream:
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="")`
}

const node = (base: string, body: ChatBody) => `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: ${JSON.stringify(base)}, apiKey: '${KEY_PLACEHOLDER}' })

const stream = await client.chat.completions.create(${bodyText(body)})
for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta.content ?? '')`

const indented = (text: string, spaces: number) => text.replaceAll('\n', `\n${' '.repeat(spaces)}`)

export const programs = [
  { id: 'curl', label: 'curl', write: curl },
  { id: 'python', label: 'Python', write: python },
  { id: 'node', label: 'Node', write: node },
] as const
