/** Code snippets of the home page. Curly quotes mark strings for highlighting. */
import { Copy } from '../../client/components/copy.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'

const curl = (base: string, model: string, hello: string) => `curl “${base}/chat/completions” \\
  -H “"Authorization: Bearer $TOLLGATE_KEY"” \\
  -H “"Content-Type: application/json"” \\
  -d “'{
    "model": "${model}",
    "messages": [{"role": "user", "content": "${hello}"}]
  }'”`

const python = (base: string, model: string, hello: string) => `import os
from openai import OpenAI

client = OpenAI(
    base_url=“"${base}"”,
    api_key=os.environ[“"TOLLGATE_KEY"”],
)
answer = client.chat.completions.create(
    model=“"${model}"”,
    messages=[{“"role"”: “"user"”, “"content"”: “"${hello}"”}],
)`

const node = (base: string, model: string, hello: string) => `import OpenAI from “'openai'”

const client = new OpenAI({
  baseURL: “'${base}'”,
  apiKey: process.env.TOLLGATE_KEY,
})
const answer = await client.chat.completions.create({
  model: “'${model}'”,
  messages: [{ role: “'user'”, content: “'${hello}'” }],
})`

const languages = [
  { id: 'curl', label: 'curl', write: curl },
  { id: 'python', label: 'Python', write: python },
  { id: 'node', label: 'Node', write: node },
]

export function Snippets({ base, model }: { base: string; model: string }) {
  const { t } = usePageContext()
  const written = languages.map(({ write, ...language }) => ({
    ...language,
    code: write(base, model, t('home.hello')),
  }))
  return (
    <tollgate-tabs className="code block" hx-morph-skip-children="">
      <div>
        <div role="tablist" aria-label={t('home.snippets')}>
          {written.map(({ id, label }, index) => (
            <button
              key={id}
              type="button"
              role="tab"
              id={`tab-${id}`}
              aria-controls={`panel-${id}`}
              aria-selected={index === 0}
              tabIndex={index === 0 ? 0 : -1}
            >
              {label}
            </button>
          ))}
        </div>
        <span />
        <Copy text={written[0]!.code.replace(/[“”]/g, '')} className="icon-button sm:!h-8 !px-0" />
      </div>
      {written.map(({ id, code }, index) => (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        <pre key={id} role="tabpanel" id={`panel-${id}`} aria-labelledby={`tab-${id}`} tabIndex={0} hidden={index > 0}>
          <code>
            <HighlightedCode code={code} />
          </code>
        </pre>
      ))}
    </tollgate-tabs>
  )
}

const HighlightedCode = ({ code }: { code: string }) =>
  code.split(/“([^”]*)”/).map((piece, index) =>
    index % 2 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text
      <span key={index} className="string">
        {piece}
      </span>
    ) : (
      piece
    ),
  )
