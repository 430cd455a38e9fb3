/**
 * How each screen is pictured: both widths, themes and languages; and which pictures the repository keeps: those of some
 * screens and, in both themes, the one of README.
 */
import { join } from 'node:path'
import type { Language } from '../../src/locales/languages.ts'

export const FOLDER = 'docs/screens'
/** Ignored by git. */
const OTHERS_FOLDER = 'dist/screens'

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

const [WIDE, WIDE_DARK, NARROW, NARROW_DARK] = looks as [Look, Look, Look, Look]

/** One look of some screens. All pictures were most of a clone, and are replaced with each change of the look. */
const kept: Record<string, Look> = {
  pricing: WIDE,
  playground: WIDE_DARK,
  tokens: NARROW_DARK,
  receipt: WIDE,
  wallet: NARROW,
  channels: WIDE_DARK,
}

export type HeroTheme = 'light' | 'dark'
export const heroThemes: HeroTheme[] = ['light', 'dark']
export const HERO_HEIGHT = 980
export const heroOf = (theme: HeroTheme) => `hero-${theme}.webp`

/** The look in which the repository keeps a screen. */
export const keptLook = (name: string): Look | undefined => kept[name]
export const keptScreens = Object.keys(kept)

export const pictureOf = (name: string, { width, theme, language }: Look) =>
  `${name}-${width}-${theme === 'gate' ? 'light' : 'dark'}-${language}.webp`

export const pathOf = (name: string, look: Look) =>
  join(keptLook(name) === look ? FOLDER : OTHERS_FOLDER, pictureOf(name, look))
