/** Settings that match a search, from every tab. */
import { Empty } from '../../client/components/empty.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { SettingsFrame } from './frame.tsx'
import type { SettingsTab } from './view.ts'

export interface Hit {
  href: string
  label: string
  help: string
  key: string
  /** Tab and section, such as `System · Payment`. */
  place: string
}

export function Found({ tab, q, hits }: { tab: SettingsTab; q: string; hits: Hit[] }) {
  const { t } = usePageContext()
  return (
    <SettingsFrame tab={tab} q={q} index={[]}>
      {hits.length === 0 ? (
        <Empty text={t('settings.none_found')} />
      ) : (
        <ul className="setting-hits">
          {hits.map(({ href, label, help, key, place }) => (
            <li key={key}>
              <a href={href}>{label}</a>
              <span className="help">{help}</span>
              <span className="help">
                {place} <code>{key}</code>
              </span>
            </li>
          ))}
        </ul>
      )}
    </SettingsFrame>
  )
}
