/** Theme and language switches: forms that set cookies, so they work without JavaScript. */
import Check from 'lucide-react/icons/check'
import LanguagesDrawing from 'lucide-react/icons/languages'
import SunMoon from 'lucide-react/icons/sun-moon'
import type { ReactNode } from 'react'
import { Icon } from '../../client/components/icon.tsx'
import { Menu } from '../../client/components/menu.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { languageCodes, languages } from '../../src/contracts/languages.ts'
import type { Theme, Visit } from '../../src/contracts/visit.ts'

interface SwitchProps {
  visit: Visit
  id: string
  /** Shows the current value beside the icon. */
  showLabel?: boolean
}

const themes: Theme[] = ['gate', 'gate-night', 'system']

export function ThemeSwitch({ visit, id, showLabel }: SwitchProps) {
  const { t } = usePageContext()
  const name = (theme: Theme) => t(`shell.theme_${theme}`)
  return (
    <Menu
      id={id}
      label={showLabel ? `${t('shell.theme')} ${name(visit.theme)}` : t('shell.theme')}
      className={showLabel ? 'btn btn-ghost' : 'icon-button wide-only'}
      button={
        <>
          <Icon of={SunMoon} />
          {showLabel && name(visit.theme)}
        </>
      }
    >
      <Choices
        name="theme"
        chosen={visit.theme}
        url={visit.url}
        choices={themes.map(theme => ({ value: theme, label: name(theme) }))}
      />
    </Menu>
  )
}

export function LanguageSwitch({ visit, id, showLabel }: SwitchProps) {
  const { t } = usePageContext()
  const choices = languageCodes.map(language => ({
    value: language,
    label: <span lang={languages[language].tag}>{languages[language].name}</span>,
  }))
  const { name } = languages[visit.language]
  return (
    <Menu
      id={id}
      label={showLabel ? `${t('shell.language')} ${name}` : t('shell.language')}
      className={showLabel ? 'btn btn-ghost' : 'icon-button wide-only'}
      button={
        <>
          <Icon of={LanguagesDrawing} />
          {showLabel && name}
        </>
      }
    >
      <Choices name="language" chosen={visit.language} url={visit.url} choices={choices} />
    </Menu>
  )
}

/** Submitted without htmx: the whole document changes. */
function Choices({
  name,
  chosen,
  url,
  choices,
}: {
  name: string
  chosen: string
  url: string
  choices: { value: string; label: ReactNode }[]
}) {
  return (
    <form method="post" action="/preferences">
      <input type="hidden" name="returnTo" value={url} />
      {choices.map(({ value, label }) => (
        <button
          key={value}
          type="submit"
          name={name}
          value={value}
          aria-current={value === chosen ? 'true' : undefined}
        >
          <span className="flex-1 text-left">{label}</span>
          {value === chosen && <Icon of={Check} />}
        </button>
      ))}
    </form>
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
