/** A first call with an API key: as programs by tab, and a button that makes it. */
import { Copy } from '../../client/components/copy.tsx'
import { Fields } from '../../client/components/drawer.tsx'
import { HiddenFields } from '../../client/components/filters.tsx'
import { Form, viewRequest } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { moneyText } from '../../src/billing/quota.ts'
import { API_DOCS_PATH, EXAMPLE_MODEL } from '../../src/contracts/api-docs.ts'
import type { OfferedModel } from '../../src/contracts/pricing.ts'
import { clientGuides } from '../api-docs/clients.ts'
import { Guide } from '../api-docs/start.tsx'
import { type ApiSetting, apiDocsAt } from '../api-docs/view.ts'
import { firstBody, snippets } from './snippets.ts'
import { CALLS_PATH, TOKENS_PATH } from './view.ts'

export interface TryItProps {
  /** Base URL of the API, without `/v1`. */
  base: string
  apiKey: string
  token_id: number
  /** Chat models that the key may call, the cheapest first. */
  models: OfferedModel[]
  /** Name of the chosen model; absent without models. */
  model?: string
  /** Id of the chosen program. */
  snippet: string
  /** The other parameters of the address. */
  address: Record<string, string | undefined>
}

/** Clients with a tab of their own; the documentation shows how the others are connected. */
const TABS = ['codex', 'cursor', 'cherry-studio']
const tabGuides = clientGuides.filter(({ id }) => TABS.includes(id))
export const keyTabs = [...snippets, ...tabGuides]
const otherGuides = clientGuides.filter(({ id }) => keyTabs.every(tab => tab.id !== id))

function settingOf(base: string, key: string, models: OfferedModel[], model = EXAMPLE_MODEL): ApiSetting {
  const others = models.map(({ name }) => name).filter(name => name !== model)
  return { base, key, model, models: [model, ...others] }
}

/** The tabs are radio buttons, so they need no script. */
export function TryIt({ base, apiKey, token_id, models, model, snippet, address }: TryItProps) {
  const { t } = usePageContext()
  return (
    <Fields title={t('token.try_it')}>
      <form
        className="min-w-0"
        method="get"
        action={TOKENS_PATH}
        {...viewRequest(TOKENS_PATH)}
        hx-trigger="submit, change target:select"
      >
        <HiddenFields of={address} />
        {model !== undefined && <ModelChoice models={models} model={model} />}
        <div className="code snippets">
          <div role="radiogroup" aria-label={t('snippet.program')}>
            {keyTabs.map(({ id, label }) => (
              <label key={id}>
                <input type="radio" name="snippet" value={id} defaultChecked={id === snippet} />
                {label}
              </label>
            ))}
          </div>
          {snippets.map(({ id, label, write }) => (
            <Program key={id} id={id} label={label} code={write({ base, key: apiKey, model })} />
          ))}
          {tabGuides.map(guide => (
            <section key={guide.id} data-snippet={guide.id} aria-label={guide.label}>
              <Guide guide={guide} setting={settingOf(base, apiKey, models, model)} />
            </section>
          ))}
        </div>
      </form>
      <Form action={`${API_DOCS_PATH}/key`} returnTo={apiDocsAt({ client: otherGuides[0]!.id })} fullPage>
        <button type="submit" name="key" value={token_id} className="btn btn-ghost btn-sm">
          {t('snippet.more', { count: otherGuides.length })}
        </button>
      </Form>
      {model !== undefined && <Send apiKey={apiKey} model={model} />}
    </Fields>
  )
}

function Program({ id, label, code }: { id: string; label: string; code: string }) {
  const { t } = usePageContext()
  return (
    <section data-snippet={id} aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
      <Copy text={code} label={t('snippet.copy', { name: label })} />
    </section>
  )
}

function ModelChoice({ models, model }: { models: OfferedModel[]; model: string }) {
  const { t } = usePageContext()
  return (
    <div className="field mb-3">
      <span className="flex gap-2">
        <label htmlFor="snippet-model" className="flex-1">
          {t('snippet.model')}
        </label>
        <span className="help">{t('snippet.price_help')}</span>
      </span>
      <span className="flex gap-2">
        <select id="snippet-model" name="model" className="select" defaultValue={model}>
          {models.map(offered => (
            <option key={offered.name} value={offered.name}>
              {offered.name} · {priceText(offered, t)}
            </option>
          ))}
        </select>
        <noscript>
          <button type="submit" className="btn shrink-0">
            {t('ui.show')}
          </button>
        </noscript>
      </span>
    </div>
  )
}

function priceText({ input, output, per_call }: OfferedModel, t: ReturnType<typeof usePageContext>['t']) {
  if (per_call !== undefined) return t('log.price_call', { price: moneyText(per_call, 2, 6) })
  if (input === undefined || output === undefined) return t('pricing.no_price')
  return t('snippet.price', { input: moneyText(input, 2, 6), output: moneyText(output, 2, 6) })
}

/** The reply and its receipt follow below the button. */
function Send({ apiKey, model }: { apiKey: string; model: string }) {
  const { t } = usePageContext()
  return (
    <tollgate-call class="script-only block min-w-0" secret={apiKey} body={firstBody(model)} receipt={CALLS_PATH}>
      <div className="flex items-center gap-3">
        <button type="button" className="btn">
          {t('snippet.send')}
        </button>
        <span className="help">{t('snippet.send_help')}</span>
      </div>
      <div role="status" className="sent" />
    </tollgate-call>
  )
}
