/** Theme and language: real forms, remembered in cookies, applied by the server. */
import Check from 'lucide-react/icons/check'
import LanguagesDrawing from 'lucide-react/icons/languages'
import SunMoon from 'lucide-react/icons/sun-moon'
import type { ReactNode } from 'react'
import { Icon } from '../../client/components/icon.tsx'
import { Menu } from '../../client/components/menu.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { Language, Theme, Visit } from '../../src/contracts/visit.ts'

interface SwitchProps {
  visit: Visit
  id: string
  /** With its word beside the icon. */
  words?: boolean
}

const themes: Theme[] = ['gate', 'gate-night', 'system']

/** Each language in its own words. */
export const languages: Record<Language, string> = { zh: '中文', en: 'English' }
const tags: Record<Language, string> = { zh: 'zh-CN', en: 'en' }

export function ThemeSwitch({ visit, id, words }: SwitchProps) {
  const { t } = usePageContext()
  const name = (theme: Theme) => t(`shell.theme_${theme}`)
  return (
    <Menu
      id={id}
      label={words ? `${t('shell.theme')} ${name(visit.theme)}` : t('shell.theme')}
      className={words ? 'btn btn-ghost' : 'icon-button wide-only'}
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
  const choices = (Object.keys(languages) as Language[]).map(language => ({
    value: language,
    label: <span lang={tags[language]}>{languages[language]}</span>,
  }))
  return (
    <Menu
      id={id}
      label={words ? `${t('shell.language')} ${languages[visit.language]}` : t('shell.language')}
      className={words ? 'btn btn-ghost' : 'icon-button wide-only'}
      button={
        <>
          <Icon of={LanguagesDrawing} />
          {words && languages[visit.language]}
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

/** The other language, one link's worth, for pages without the bar. */
export function LanguageLink({ visit }: { visit: Visit }) {
  const other: Language = visit.language === 'zh' ? 'en' : 'zh'
  return (
    <form method="post" action="/preferences" className="inline">
      <input type="hidden" name="returnTo" value={visit.url} />
      <button type="submit" className="plain-link" name="language" value={other} lang={tags[other]}>
        {languages[other]}
      </button>
    </form>
  )
}
