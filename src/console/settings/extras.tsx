/**
 * Plug point 2: what a section or a tab of the settings page shows besides its fields.
 * `actions`: buttons at the right of a section's heading. `footer`: below its form (a form of its own may stand there).
 * `more`: sections without options after those of a tab; their names are in the index (`settings.section_<name>`).
 * `overlayOf`: a drawer or dialog over the page, by a parameter of the query. All run per request and may be async; a
 * button of a footer that sends the typed fields has `form={formId(section)}` and a `formAction`.
 */
import type { ReactNode } from 'react'
import { CodeWarning } from '../../../views/settings/code-warning.tsx'
import { Discovery } from '../../../views/settings/discovery.tsx'
import { Role } from '../../contracts/account.ts'
import type { SettingsTab } from '../../contracts/option.ts'
import { type SectionName, sectionNames } from '../../domain/options/index.ts'
import { historyLink, historyOverlay } from './history.tsx'
import type { SettingsPage } from './request.ts'
import { systemSection, updateCheck } from './system.tsx'
import { mailTest, transferSection } from './tool-sections.tsx'

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

const forRoot = (page: SettingsPage, content: () => Content) => (page.caller.role < Role.root ? undefined : content())

/** What single sections show below their fields. */
const footers: Partial<Record<SectionName, SectionExtras['footer']>> = {
  smtp: page => forRoot(page, () => mailTest(page)),
  oidc: page => forRoot(page, () => <Discovery outcome={page.outcome?.of === 'oidc' ? page.outcome : undefined} />),
  customCode: page => forRoot(page, () => <CodeWarning />),
  updates: updateCheck,
}

export const extras: Partial<Record<SectionName, SectionExtras>> = Object.fromEntries(
  sectionNames.map(name => [name, { actions: () => historyLink(name), footer: footers[name] }]),
)

export const more: Partial<Record<SettingsTab, (page: SettingsPage) => Promise<MoreSection[]>>> = {
  other: async page => [await systemSection(page), ...(page.caller.role < Role.root ? [] : [transferSection(page)])],
}

export const overlayOf = (page: SettingsPage): Content => historyOverlay(page)
