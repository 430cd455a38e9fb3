/** docs/clients.md: which real clients the tests run, on which routes, and what holds there. */
import type { Route } from '../support/clients/grid.ts'
import { routes } from '../support/clients/grid.ts'
import { versionOf } from '../support/clients/packages.ts'
import type { ReturnedThought } from '../support/makers/conversation.ts'
import type { Maker } from '../support/makers/maker.ts'
import { table } from './table.ts'

const labels: Record<Maker, string> = { openai: 'OpenAI', anthropic: 'Anthropic', gemini: 'Gemini' }

const thoughts: Record<ReturnedThought, string> = {
  signed: 'come back signed',
  skipped: "come back as Google's skip marker",
  missing: 'do not come back',
}

const head = ['Client', 'Version', 'Upstream', 'Text', 'Stream', 'Tools', 'Thinking', 'Errors', 'Bill']

const line = ({ client, maker, thoughts: returned }: Route): string[] => [
  client.label,
  versionOf(client.package),
  `${labels[maker]}${maker === client.native ? ' (native)' : ''}`,
  ...['✓', '✓', '✓'],
  thoughts[returned],
  ...['✓', '✓'],
]

export const clientsDocument = () => `# Clients

Printed by \`bun run docs\` from the grid that \`npm run test:long\` runs whole. Each client is the
published program at the version of \`tests/clients/versions.json\`, without a terminal, through a gateway process. The
upstreams are mocks that refuse what their makers refuse.

- **Text, Stream, Tools:** an agent loop of four streamed rounds with parallel calls reads and writes files, and ends
  with what they hold. The upstream finds a valid history in each round.
- **Thinking:** whether the thoughts of a model come back to it before the calls of each round. Chat Completions have
  none to give back, and some clients drop those of other makers' models.
- **Errors:** a rate limit with \`retry-after\` is waited for and passes, a full context and a stream that breaks end as
  they do with the maker itself, and a client that is killed in mid-stream is billed what the upstream reports.
- **Bill:** the client's own count of tokens, the upstream's report and the log are equal, and \`tollgate audit --bills\`
  is clean.

${table(head, routes.map(line))}
`
