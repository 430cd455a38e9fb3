/**
 * Plug point 2: what a section or a tab of the settings page shows besides its fields.
 * `actions`: buttons at the right of a section's heading. `footer`: below its form (a form of its own may stand there).
 * `more`: sections without options after those of a tab; their names are in the index (`settings.section_<name>`).
 * `over`: a drawer or dialog over the page, by a parameter of the query. All run per request and may be async; a
 * button of a footer that sends the typed fields has `form={formId(section)}` and a `formAction`.
 */
import type { ReactNode } from 'react'
import type { SettingsTab } from '../../contracts/option.ts'
import type { SectionName } from '../../domain/options/index.ts'
import type { SettingsPage } from './request.ts'

type Content = ReactNode | Promise<ReactNode>

export interface SectionExtras {
  actions?: (page: SettingsPage) => Content
  footer?: (page: SettingsPage) => Content
}

export interface MoreSection {
  name: string
  title: string
  content: ReactNode
}

export const extras: Partial<Record<SectionName, SectionExtras>> = {}

export const more: Partial<Record<SettingsTab, (page: SettingsPage) => MoreSection[] | Promise<MoreSection[]>>> = {}

export const over = (_page: SettingsPage): Content => undefined
