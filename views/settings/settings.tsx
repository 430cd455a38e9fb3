/** A tab of the settings: its sections and the save bar. */
import type { ReactNode } from 'react'
import { usePageContext } from '../../client/components/page-context.tsx'
import { SettingsFrame } from './frame.tsx'
import { SaveBar } from './save-bar.tsx'
import { OptionSection, Section } from './section.tsx'
import { type IndexEntry, type SectionView, type SettingsTab, sectionId } from './view.ts'

export interface TabSection extends SectionView {
  actions?: ReactNode
  footer?: ReactNode
}

export interface TabProps {
  tab: SettingsTab
  sections: TabSection[]
  /** Sections without options. */
  more: { name: string; title: string; content: ReactNode }[]
  /** Pages that belong to the tab. */
  links?: IndexEntry[]
  /** Keys that another version has stored. */
  unknown: string[]
  overlay?: ReactNode
}

export function Tab({ tab, sections, more, links = [], unknown, overlay }: TabProps) {
  const { t } = usePageContext()
  const index = [
    ...sections.map(({ name, title, fields }) => ({
      href: `#${sectionId(name)}`,
      title,
      section: name,
      errors: fields.filter(field => field.error).length,
    })),
    ...more.map(({ name, title }) => ({ href: `#${sectionId(name)}`, title })),
    ...links,
  ]
  return (
    <SettingsFrame tab={tab} index={index} overlay={overlay}>
      <tollgate-settings>
        {sections.map(({ actions, footer, ...section }) => (
          <OptionSection key={section.name} section={section} tab={tab} actions={actions} footer={footer} />
        ))}
        {more.map(({ name, title, content }) => (
          <Section key={name} name={name} title={title}>
            {content}
          </Section>
        ))}
        {unknown.length > 0 && (
          <Section name="unknown" title={t('settings.unknown')} help={t('settings.unknown_help')}>
            <ul className="unknown-options">
              {unknown.map(key => (
                <li key={key}>
                  <code>{key}</code>
                </li>
              ))}
            </ul>
          </Section>
        )}
        <SaveBar tab={tab} errors={sections.flatMap(({ fields }) => fields).filter(field => field.error).length} />
      </tollgate-settings>
    </SettingsFrame>
  )
}
