/** Models that the user may call; a click copies the name. */

import { usePageContext } from '../../client/components/page-context.tsx'
import { ME_PATH } from '../../src/contracts/profile.ts'

const SHOWN_MAX = 10

export function Models({ names, expanded }: { names: string[]; expanded: boolean }) {
  const { t } = usePageContext()
  if (!names.length) return <p className="help m-0">{t('me.models_none')}</p>
  const more = names.length - SHOWN_MAX
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {(expanded ? names : names.slice(0, SHOWN_MAX)).map(name => (
        <button key={name} type="button" className="model-name shows-copied" data-copy={name} title={t('ui.copy')}>
          {name}
        </button>
      ))}
      {more > 0 && (
        <form method="post" action="/preferences" className="contents">
          <input type="hidden" name="returnTo" value={ME_PATH} />
          <button type="submit" className="btn btn-ghost btn-sm" name="modelsExpanded" value={String(!expanded)}>
            {expanded ? t('me.models_fewer') : t('me.models_more', { count: more })}
          </button>
        </form>
      )}
    </div>
  )
}
