/** Default home page. */
import { Copy } from '../../client/components/copy.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { Visit } from '../../src/contracts/visit.ts'
import { kindOf } from '../../src/models/kinds.ts'
import { docsAt } from '../layout/menu.ts'
import { GateDrawing } from './gate-drawing.tsx'
import { type ModelPrice, Prices, type PricesProps } from './prices.tsx'
import { Snippets } from './snippets.tsx'
import { TryIt } from './try-it.tsx'

interface HomeProps extends PricesProps {
  visit: Visit
  /** The model that visitors may try; absent while that is off. */
  tried?: string
  /** Where clients point: `https://api.example.com/v1`. */
  base: string
}

const endpoints = [
  { label: 'home.chat', path: '/v1/chat/completions' },
  { label: 'home.responses', path: '/v1/responses' },
  { label: 'home.messages', path: '/v1/messages' },
  { label: 'Gemini', path: '/v1beta/models' },
] as const

const DEFAULT_MODEL = 'gpt-5-mini'

/** A model that the snippets, which chat, can call. */
const chatModel = (models: ModelPrice[]) =>
  models.find(({ name, input }) => input !== undefined && kindOf(name) === 'chat')?.name ?? DEFAULT_MODEL

export function Home({ visit, base, tried, ...prices }: HomeProps) {
  const { t } = usePageContext()
  return (
    <>
      <Opening visit={visit} base={base} tried={tried} />
      <section className="public public-section">
        <div>
          <h2 className="section-title">{t('home.snippets')}</h2>
          <p className="ink-2 m-0 mb-4">{t('home.snippets_lead')}</p>
          <Snippets base={base} model={chatModel(prices.models)} />
          <table className="ledger plain mt-3">
            <tbody>
              {endpoints.map(({ label, path }) => (
                <tr key={path}>
                  <th scope="row" className="tight ink-2 !font-normal !static">
                    {label === 'Gemini' ? label : t(label)}
                  </th>
                  <td className="number mono">{path}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <Prices {...prices} />
      </section>
    </>
  )
}

function Opening({ visit, base, tried }: Pick<HomeProps, 'visit' | 'base' | 'tried'>) {
  const { t } = usePageContext()
  const { caller, status } = visit
  const isOwn = status.self_use_mode_enabled
  return (
    <section className="public opening">
      <div>
        <h1>{t('home.heading')}</h1>
        <p className="lead">{t(isOwn ? 'home.lead_self' : 'home.lead')}</p>
        <div className="base-url">
          <span>{base}</span>
          <Copy text={base} className="base-copy">
            {t('ui.copy')}
          </Copy>
        </div>
        <div className="flex items-center gap-3 mt-4">
          <a
            className="btn btn-primary"
            href={caller ? '/app/tokens' : status.registration_open ? '/register' : '/login'}
          >
            {t(caller ? 'home.open_console' : status.registration_open ? 'home.create_account' : 'shell.sign_in')}
          </a>
          <a className="text" href={docsAt(status)}>
            {t('home.read_docs')}
          </a>
        </div>
      </div>
      <figure className="m-0">
        <GateDrawing />
        <GateDrawing crop />
        {tried && <TryIt model={tried} />}
      </figure>
    </section>
  )
}
