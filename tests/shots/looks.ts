/** How each screen is pictured: both widths, themes and languages. */
import type { Language } from '../../src/contracts/languages.ts'

export const FOLDER = 'docs/screens'

export interface Look {
  width: 1440 | 390
  theme: 'gate' | 'gate-night'
  language: Language
}

export const looks: Look[] = [
  { width: 1440, theme: 'gate', language: 'en' },
  { width: 1440, theme: 'gate-night', language: 'zh' },
  { width: 390, theme: 'gate', language: 'zh' },
  { width: 390, theme: 'gate-night', language: 'en' },
]

export const pictureOf = (name: string, { width, theme, language }: Look) =>
  `${name}-${width}-${theme === 'gate' ? 'light' : 'dark'}-${language}.webp`
