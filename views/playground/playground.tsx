/** The playground page: the island, and what a browser without JavaScript reads in its place. */
import TriangleAlert from 'lucide/dist/esm/icons/triangle-alert.mjs'
import { Icon } from '../../client/components/icon.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { PageHead } from '../../client/components/page-head.tsx'
import { programs } from '../../client/playground/as-code.ts'
import type { PlaygroundProps } from '../../client/playground/playground.tsx'
import { PLAYGROUND_PATH } from '../../src/contracts/playground.ts'
import { Island } from '../layout/island.tsx'

export function Playground({ expired, ...props }: PlaygroundProps & { expired: boolean }) {
  const { t } = usePageContext()
  return (
    <>
      {expired && (
        <p className="note warning playground-notice" role="alert">
          <Icon of={TriangleAlert} />
          {t('playground.expired')}
        </p>
      )}
      <Island name="playground" about={props.user_id} {...props} />
      <noscript>
        <WithoutScript {...props} />
      </noscript>
    </>
  )
}

/** The choice of group and model, and the request as a command. */
function WithoutScript({ base, groups, group, models, model }: PlaygroundProps) {
  const { t } = usePageContext()
  const [{ write }] = programs
  const body = { model, messages: [{ role: 'user' as const, content: t('playground.hello') }], stream: true }
  return (
    <div className="playground-plain">
      <PageHead title={t('playground.title')} />
      <p>{t('playground.without_script')}</p>
      <form action={PLAYGROUND_PATH} className="fields">
        <div className="field">
          <label htmlFor="plain-group">{t('playground.group')}</label>
          <select id="plain-group" name="group" className="select" defaultValue={group}>
            {groups.map(({ name, desc, ratio }) => (
              <option key={name} value={name}>{`${name} ×${ratio}${desc === name ? '' : ` · ${desc}`}`}</option>
            ))}
          </select>
        </div>
        <div className="field">
          <label htmlFor="plain-model">{t('playground.model')}</label>
          <select id="plain-model" name="model" className="select" defaultValue={model}>
            {models.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
          {models.length === 0 && <p className="help">{t('playground.no_models')}</p>}
        </div>
        <button type="submit" className="btn">
          {t('ui.show')}
        </button>
      </form>
      <dl className="facts">
        <dt>{t('playground.base_url')}</dt>
        <dd className="mono">{base}</dd>
      </dl>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <pre tabIndex={0}>
        <code>{write(base, body)}</code>
      </pre>
    </div>
  )
}
