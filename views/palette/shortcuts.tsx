/** The sheet of keyboard shortcuts, which switches single keys off and on (WCAG 2.1.4). */
import X from 'lucide/dist/esm/icons/x.mjs'
import { Icon } from '../../client/components/icon.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { PageHead } from '../../client/components/page-head.tsx'
import type { Visit } from '../../src/contracts/visit.ts'
import { goToEntries } from './go-to.ts'

/** Waits in a template until `?` is pressed. */
export function ShortcutsDialog({ visit }: { visit: Visit }) {
  const { t } = usePageContext()
  return (
    <dialog className="layer" id="shortcuts" aria-labelledby="shortcuts-title">
      <section className="dialog shortcuts">
        <form method="dialog">
          <h3 id="shortcuts-title">{t('palette.shortcuts')}</h3>
          <button type="submit" className="icon-button" aria-label={t('ui.close')}>
            <Icon of={X} />
          </button>
        </form>
        <Shortcuts visit={visit} heading="h4" />
      </section>
    </dialog>
  )
}

export function ShortcutsPage({ visit }: { visit: Visit }) {
  const { t } = usePageContext()
  return (
    <>
      <PageHead title={t('palette.shortcuts')} />
      <div className="shortcuts">
        <Shortcuts visit={visit} heading="h2" />
      </div>
    </>
  )
}

/** One level below the title of the page or the dialog. */
type Heading = 'h2' | 'h4'

function Shortcuts({ visit, heading: Heading }: { visit: Visit; heading: Heading }) {
  const { t } = usePageContext()
  const onPage = [
    { keys: ['/'], does: t('palette.key_search') },
    { keys: ['c'], does: t('palette.key_create') },
    { keys: ['j'], does: t('palette.key_next') },
    { keys: ['k'], does: t('palette.key_previous') },
    { keys: ['Enter'], does: t('palette.key_open') },
    { keys: ['x'], does: t('palette.key_select') },
    { keys: ['?'], does: t('palette.key_help') },
  ]
  const always = [
    { keys: ['Ctrl', 'K'], does: t('palette.title') },
    { keys: ['Ctrl', 'Enter'], does: t('palette.key_save') },
    { keys: ['Esc'], does: t('palette.key_close') },
  ]
  return (
    <>
      <div className="shortcut-columns">
        <Keys heading={Heading} title={t('palette.on_page')} rows={onPage} />
        <div>
          <Heading>{t('palette.go_to')}</Heading>
          <ul>
            {goToEntries(visit, t).map(({ href, label, key }) => (
              <li key={href}>
                <a href={href} data-go={key}>
                  {label}
                </a>
                <span>
                  <kbd>g</kbd> <kbd>{key}</kbd>
                </span>
              </li>
            ))}
          </ul>
        </div>
        <Keys heading={Heading} title={t('palette.always')} rows={always} />
      </div>
      <form method="post" action="/preferences" className="shortcut-switch">
        <input type="hidden" name="returnTo" value={visit.url} />
        <p className="help m-0">{t(visit.shortcuts ? 'palette.single_on' : 'palette.single_off')}</p>
        <button type="submit" className="btn btn-sm" name="shortcuts" value={String(!visit.shortcuts)}>
          {t(visit.shortcuts ? 'palette.turn_off' : 'palette.turn_on')}
        </button>
      </form>
    </>
  )
}

interface KeysProps {
  heading: Heading
  title: string
  rows: { keys: string[]; does: string }[]
}

const Keys = ({ heading: Heading, title, rows }: KeysProps) => (
  <div>
    <Heading>{title}</Heading>
    <ul>
      {rows.map(({ keys, does }) => (
        <li key={does}>
          {does}
          <span>
            {keys.map(key => (
              <kbd key={key}>{key}</kbd>
            ))}
          </span>
        </li>
      ))}
    </ul>
  </div>
)
