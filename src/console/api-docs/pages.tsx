/** Route of the API documentation. An API key comes into its examples only when the reader sends the form for it. */
import { Elysia } from 'elysia'
import { z } from 'zod'
import { ApiDocs } from '../../../views/api-docs/api-docs.tsx'
import { type ApiDocsView, apiDocsAt, NO_KEY } from '../../../views/api-docs/view.ts'
import { API_DOCS_PATH, type ApiNoun, type ApiOperation, EXAMPLE_MODEL } from '../../contracts/api-docs.ts'
import { optional, PAGE_SIZE_MAX } from '../../contracts/paging.ts'
import { DEFAULT_GROUP } from '../../contracts/pricing.ts'
import { KEY_PREFIX, type Token } from '../../contracts/token.ts'
import type { Visit } from '../../contracts/visit.ts'
import { usableGroups } from '../../domain/pricing/index.ts'
import { offeredModels } from '../../domain/routing/index.ts'
import { listTokens, tokenOf } from '../../domain/tokens/index.ts'
import { translator } from '../../locales/index.ts'
import { kindOf } from '../../models/kinds.ts'
import { forms } from '../../web/forms.ts'
import { localPath } from '../../web/origin.ts'
import { siteOf } from '../../web/request.ts'
import { guard } from '../guard.ts'
import { chatModelsOf } from '../offered-models.ts'
import { render } from '../page.tsx'
import { pageAt, type RequestContext } from '../visit.ts'
import type { ApiDocumentSource } from './api.ts'

const Query = z.object({ keyword: optional, noun: optional, open: optional, client: optional })
const KeyForm = z.object({ key: z.coerce.number().pipe(z.int()), returnTo: z.string().optional() })

type DocsPage = RequestContext & { visit: Visit; query: z.output<typeof Query> }

export const apiDocsPages = (source: ApiDocumentSource) =>
  new Elysia()
    .use(guard)
    .use(forms)
    .get(API_DOCS_PATH, page => show(page, source), { page: 'anyone', query: Query })
    .post(
      `${API_DOCS_PATH}/key`,
      async page => {
        const { key, returnTo } = KeyForm.parse(page.body)
        const url = localPath(returnTo, apiDocsAt())
        const query = Query.parse(Object.fromEntries(new URL(url, page.request.url).searchParams))
        return show({ ...pageAt(page, url), query }, source, await tokenOf(page.caller.id, key))
      },
      { userPage: 'signedIn' },
    )

async function show({ request, server, visit, query }: DocsPage, source: ApiDocumentSource, token?: Token) {
  const nouns = await source.nouns(visit.language)
  const { caller, status } = visit
  const models = await chatModels(caller?.group ?? DEFAULT_GROUP, token)
  const content = (
    <ApiDocs
      view={query}
      nouns={nouns}
      found={found(nouns, query)}
      setting={{
        base: status.server_address || siteOf(request, server),
        key: token ? KEY_PREFIX + token.key : NO_KEY,
        model: models[0] ?? EXAMPLE_MODEL,
        models,
      }}
      keys={caller && (await ownKeys(caller.id))}
      chosen={token && { id: token.id, name: token.name }}
    />
  )
  return render(request, visit, content, { title: translator(visit.language)('docs.title'), frame: 'public' })
}

/** Those of the key, the cheapest first, or else those of all groups that the reader may choose. */
async function chatModels(group: string, token?: Token): Promise<string[]> {
  if (token) return (await chatModelsOf(token, group)).map(({ name }) => name)
  return (await offeredModels(Object.keys(usableGroups(group)))).filter(name => kindOf(name) === 'chat')
}

/** The newest keys, without the keys themselves. */
async function ownKeys(user_id: number) {
  const { items } = await listTokens(user_id, { page: 1, size: PAGE_SIZE_MAX, offset: 0 })
  return items.map(({ id, name }) => ({ id, name }))
}

/** Operations of the noun, or with every word of the search. */
function found(nouns: ApiNoun[], { noun, keyword }: ApiDocsView): ApiNoun[] {
  const words = (keyword ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  if (!words.length) return nouns.filter(one => one.noun === noun)
  const holds = ({ method, path, summary, fields }: ApiOperation) => {
    const text = [method, path, summary, ...fields.map(field => field.name)].join(' ').toLowerCase()
    return words.every(word => text.includes(word))
  }
  return nouns
    .map(one => ({ ...one, operations: one.operations.filter(holds) }))
    .filter(({ operations }) => operations.length)
}
