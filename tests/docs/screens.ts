/** The text of docs/screens.md. */
import { keptLook, type Look, pictureOf } from '../shots/looks.ts'
import { type Screen, screens } from '../shots/screens.ts'

const readers = { visitor: 'everyone', user: 'signed-in users', root: 'administrators' }

export const screensDocument = (): string =>
  `${[
    '# Screens',
    'Every screen with its address, its readers and what works on it. This page is printed by `npm run docs` from `tests/shots/screens.ts`. The repository keeps eight pictures; `npm run shots` takes those of every screen from a demo, at 1440 and 390 px, in both themes and languages, and puts the others into `dist/screens`. `npm run shots -- wallet users` takes some.',
    ...screens.map(section),
  ].join('\n\n')}\n`

function section({ name, title, path, reader, works }: Screen): string {
  const look = keptLook(name)
  const picture = look && `![${title}, ${altOf(look)}](screens/${pictureOf(name, look)})`
  return [`## ${title}`, `\`${path}\`, for ${readers[reader]}. ${works}`, picture].filter(Boolean).join('\n\n')
}

const altOf = ({ width, theme, language }: Look) =>
  `${width} px, ${theme === 'gate' ? 'light' : 'dark'}, ${language === 'en' ? 'English' : 'Chinese'}`
