/** Theme and language switches: forms that set cookies, so they work without JavaScript. */
import Check from 'lucide/dist/esm/icons/check.mjs'
import LanguagesDrawing from 'lucide/dist/esm/icons/languages.mjs'
import SunMoon from 'lucide/dist/esm/icons/sun-moon.mjs'
import { Icon } from '../../client/components/icon.tsx'
import { Menu } from '../../client/components/menu.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { Theme, Visit } from '../../src/contracts/visit.ts'
import { languageCodes, languages } from '../../src/locales/languages.ts'

interface SwitchProps {
  visit: Visit
  id: string
  /** Shows the current value beside the icon. */
  showLabel?: boolean
}

const themes: Theme[] = ['gate', 'gate-night', 'system']

export function ThemeSwitch({ visit, ...props }: SwitchProps) {
  const { t } = usePageContext()
  const choices = themes.map(theme => ({ value: theme, name: t(`shell.theme_${theme}`) }))
  const menu = { field: 'theme', title: t('shell.theme'), icon: SunMoon, chosen: visit.theme, choices }
  return <PreferenceMenu {...props} {...menu} url={visit.url} />
}

export function LanguageSwitch({ visit, ...props }: SwitchProps) {
  const { t } = usePageContext()
  const choices = languageCodes.map(value => ({ value, name: languages[value].name, lang: languages[value].tag }))
  const menu = {
    field: 'language',
    title: t('shell.language'),
    icon: LanguagesDrawing,
    chosen: visit.language,
    choices,
  }
  return <PreferenceMenu {...props} {...menu} url={visit.url} />
}

interface PreferenceMenuProps extends Omit<SwitchProps, 'visit'> {
  field: string
  title: string
  icon: typeof Check
  chosen: string
  choices: { value: string; name: string; lang?: string }[]
  url: string
}

/** Submitted without htmx: the whole document changes. */
function PreferenceMenu({ id, showLabel, field, title, icon, chosen, choices, url }: PreferenceMenuProps) {
  const current = showLabel && choices.find(({ value }) => value === chosen)?.name
  return (
    <Menu
      id={id}
      label={current ? `${title} ${current}` : title}
      className={showLabel ? 'btn btn-ghost' : 'icon-button wide-only'}
      button={
        <>
          <Icon of={icon} />
          {current}
        </>
      }
    >
      <form method="post" action="/preferences">
        <input type="hidden" name="returnTo" value={url} />
        {choices.map(({ value, name, lang }) => (
          <button
            key={value}
            type="submit"
            name={field}
            value={value}
            aria-current={value === chosen ? 'true' : undefined}
          >
            <span className="flex-1 text-left" lang={lang}>
              {name}
            </span>
            {value === chosen && <Icon of={Check} />}
          </button>
        ))}
      </form>
    </Menu>
  )
}

/** The other languages as links, for pages without the bar. */
export function OtherLanguages({ visit }: { visit: Visit }) {
  const others = languageCodes.filter(language => language !== visit.language)
  return (
    <form method="post" action="/preferences" className="inline">
      <input type="hidden" name="returnTo" value={visit.url} />
      {others.map(language => (
        <button
          key={language}
          type="submit"
          className="plain-link"
          name="language"
          value={language}
          lang={languages[language].tag}
        >
          {languages[language].name}
        </button>
      ))}
    </form>
  )
}
