/** Built-in about page: what this gateway is, what it serves, and since when. */
import type { ReactNode } from 'react'
import { Copy } from '../../client/components/copy.tsx'
import { Ago } from '../../client/components/moment.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { Visit } from '../../src/contracts/visit.ts'
import { grouped } from '../../src/pure/number.ts'
import { docsAt } from '../layout/menu.ts'

interface AboutProps {
  visit: Visit
  /** Where clients point: `https://api.example.com`. */
  base: string
  /** Models that the visitor's group can call. */
  models: number
}

/** What clients speak here, with the path below the address of the site. */
export const servedFormats = [
  { label: 'home.chat', path: '/v1/chat/completions' },
  { label: 'home.responses', path: '/v1/responses' },
  { label: 'home.messages', path: '/v1/messages' },
  { label: 'branding.gemini', path: '/v1beta/models' },
  { label: 'branding.completions', path: '/v1/completions' },
  { label: 'branding.realtime', path: '/v1/realtime' },
  { label: 'branding.embeddings', path: '/v1/embeddings' },
  { label: 'branding.rerank', path: '/v1/rerank' },
  { label: 'branding.moderations', path: '/v1/moderations' },
  { label: 'branding.images', path: '/v1/images/generations' },
  { label: 'branding.speech', path: '/v1/audio/speech' },
  { label: 'branding.transcriptions', path: '/v1/audio/transcriptions' },
] as const

export function About({ visit: { status, caller }, base, models }: AboutProps) {
  const { t } = usePageContext()
  const name = status.system_name
  return (
    <div className="public about">
      <h1>{t('branding.about_title', { name })}</h1>
      <p className="lead">
        {t(status.self_use_mode_enabled ? 'branding.about_self' : 'branding.about_text', { name })}
      </p>
      <div className="about-columns">
        <section>
          <h2 className="section-title">{t('branding.formats')}</h2>
          <p className="ink-2 m-0 mb-4">{t('branding.formats_text')}</p>
          <table className="ledger plain">
            <tbody>
              {servedFormats.map(({ label, path }) => (
                <tr key={path}>
                  <th scope="row" className="tight ink-2 !font-normal !static">
                    {t(label)}
                  </th>
                  <td className="number mono">{path}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
        <section>
          <h2 className="section-title">{t('branding.service')}</h2>
          <p className="ink-2 m-0 mb-4">{t('branding.service_text')}</p>
          <table className="ledger plain">
            <tbody>
              <Fact label={t('branding.address')}>
                <span className="mono">{base}</span>
                <Copy text={base} label={t('branding.copy_address')} />
              </Fact>
              <Fact label={t('branding.models')}>
                <a className="text" href="/pricing">
                  {t('branding.models_priced', { count: models, text: grouped(models) })}
                </a>
              </Fact>
              <Fact label={t('branding.accounts')}>
                {status.registration_open ? (
                  <a className="text" href={caller ? '/app/tokens' : '/register'}>
                    {t('branding.accounts_open')}
                  </a>
                ) : (
                  t('branding.accounts_closed')
                )}
              </Fact>
              <Fact label={t('branding.running')}>
                <Ago at={status.start_time} />
              </Fact>
              <Fact label={t('branding.version')}>Tollgate {status.version}</Fact>
              <Fact label={t('shell.docs')}>
                <a className="text" href={docsAt(status)}>
                  {t('home.read_docs')}
                </a>
              </Fact>
              <Fact label={t('branding.machine')}>
                <a className="text mono" href="/api/status">
                  /api/status
                </a>
              </Fact>
            </tbody>
          </table>
        </section>
      </div>
    </div>
  )
}

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <tr>
    <th scope="row" className="tight ink-2 !font-normal !static">
      {label}
    </th>
    <td className="number">
      <span className="about-fact">{children}</span>
    </td>
  </tr>
)
