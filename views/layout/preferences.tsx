/** Theme and language: real forms, remembered in cookies, applied by the server. */
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
  /** With its word beside the icon. */
  words?: boolean
}

const themes: Theme[] = ['gate', 'gate-night', 'system']

export function ThemeSwitch({ visit, id, words }: SwitchProps) {
  const { t } = usePageContext()
  const name = (theme: Theme) => t(`shell.theme_${theme}`)
  return (
    <Menu
      id={id}
      label={words ? `${t('shell.theme')} ${name(visit.theme)}` : t('shell.theme')}
      className={words ? 'btn btn-ghost' : 'iconbtn wide-only'}
      button={
        <>
          <Icon of={SunMoon} />
          {words && name(visit.theme)}
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

export function LanguageSwitch({ visit, id, words }: SwitchProps) {
  const { t } = usePageContext()
  const choices = languageCodes.map(language => ({
    value: language,
    label: <span lang={languages[language].tag}>{languages[language].name}</span>,
  }))
  const { name } = languages[visit.language]
  return (
    <Menu
      id={id}
      label={words ? `${t('shell.language')} ${name}` : t('shell.language')}
      className={words ? 'btn btn-ghost' : 'iconbtn wide-only'}
      button={
        <>
          <Icon of={LanguagesDrawing} />
          {words && name}
        </>
      }
    >
      <Choices name="language" chosen={visit.language} url={visit.url} choices={choices} />
    </Menu>
  )
}

/** The whole document changes, so these forms are the browser's own. */
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
