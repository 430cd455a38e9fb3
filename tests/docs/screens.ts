/** The text of docs/screens.md. */
import { looks, pictureOf } from '../shots/looks.ts'
import { type Screen, screens } from '../shots/screens.ts'

const readers = { visitor: 'everyone', user: 'signed-in users', root: 'administrators' }

export const screensDocument = (): string =>
  `${[
    '# Screens',
    'Every screen with its address, its readers and what works on it. This page is printed by `bun run docs` from `tests/shots/screens.ts`; `bun run shots` takes the pictures from the demo, at 1440 and 390 px, in both themes and languages.',
    ...screens.map(section),
  ].join('\n\n')}\n`

const section = ({ name, title, path, reader, works }: Screen) =>
  [
    `## ${title}`,
    `\`${path}\`, for ${readers[reader]}. ${works}`,
    looks.map(look => `[${altOf(look)}](screens/${pictureOf(name, look)})`).join(' · '),
    `![${title}](screens/${pictureOf(name, looks[0]!)})`,
  ].join('\n\n')

const altOf = ({ width, theme, language }: (typeof looks)[number]) =>
  `${width} px, ${theme === 'gate' ? 'light' : 'dark'}, ${language === 'en' ? 'English' : 'Chinese'}`
