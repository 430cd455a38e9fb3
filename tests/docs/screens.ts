/** The text of docs/screens.md. */
import { heroOf, heroThemes, keptLook, type Look, pictureOf } from '../shots/looks.ts'
import { type Screen, screens } from '../shots/screens.ts'

const readers = { visitor: 'everyone', user: 'signed-in users', root: 'administrators', founder: 'the first visitor' }

export const screensDocument = (): string =>
  `${[
    '# Screens',
    'Every screen with its address, its readers and what works on it. This page is printed by `npm run docs` from `tests/shots/screens.ts`. The repository keeps eight pictures; `npm run shots` takes those of every screen from a demo, and of the set-up from an empty installation, at 1440 and 390 px, in both themes and languages, and puts the others into `dist/screens`. `npm run shots -- wallet users` takes some, `npm run shots -- kept` those of the repository. They are set in Inter and JetBrains Mono; pages are set in the fonts of their reader’s system. `screens/menu.txt` has the menu of the day on which they were taken, and a test fails when the menu has changed since.',
    ...screens.map(section),
  ].join('\n\n')}\n`

function section({ name, title, path, page, reader, works }: Screen): string {
  const look = keptLook(name)
  const picture = name === 'dashboard' ? hero : look && `![${title}, ${altOf(look)}](screens/${pictureOf(name, look)})`
  return [`## ${title}`, `\`${page ?? path}\`, for ${readers[reader]}. ${works}`, picture].filter(Boolean).join('\n\n')
}

const hero = heroThemes.map(theme => `![Dashboard and receipt, ${theme}](screens/${heroOf(theme)})`).join('\n\n')

const altOf = ({ width, theme, language }: Look) =>
  `${width} px, ${theme === 'gate' ? 'light' : 'dark'}, ${language === 'en' ? 'English' : 'Chinese'}`
