/** Section of the settings: its heading, its form, and what extends it. */
import CircleAlert from 'lucide/dist/esm/icons/circle-alert.mjs'
import LockKeyhole from 'lucide/dist/esm/icons/lock-keyhole.mjs'
import type { ReactNode } from 'react'
import { Icon } from '../../client/components/icon.tsx'
import { Form } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { Setting } from './field.tsx'
import { type FieldView, formId, SAVE_PATH, type SectionView, type SettingsTab, sectionId, tabAt } from './view.ts'

interface SectionProps {
  name: string
  title: string
  help?: string
  actions?: ReactNode
  children: ReactNode
}

export const Section = ({ name, title, help, actions, children }: SectionProps) => (
  <section className="setting-section" id={sectionId(name)} aria-labelledby={`${sectionId(name)}-title`}>
    <header>
      <h2 id={`${sectionId(name)}-title`}>{title}</h2>
      {actions}
      {help && <p className="help">{help}</p>}
    </header>
    {children}
  </section>
)

interface OptionSectionProps {
  section: SectionView
  tab: SettingsTab
  actions?: ReactNode
  footer?: ReactNode
}

export function OptionSection({ section, tab, actions, footer }: OptionSectionProps) {
  const { t } = usePageContext()
  const { name, title, help, fields, links, problem } = section
  const isLocked = fields.length > 0 && fields.every(field => field.locked)
  return (
    <Section name={name} title={title} help={help} actions={actions}>
      {problem && (
        <div className="note error" role="alert">
          <Icon of={CircleAlert} />
          <span>{problem}</span>
        </div>
      )}
      {isLocked && (
        <div className="note">
          <Icon of={LockKeyhole} />
          <span>{t('settings.only_root')}</span>
        </div>
      )}
      {/* Sent by the save bar; without scripts by the button. */}
      <Form
        id={formId(name)}
        action={SAVE_PATH}
        returnTo={tabAt(tab)}
        fullPage
        className="setting-form"
        data-section={name}
      >
        {groupsOf(fields).map(group => (
          <div key={group[0]!.key} className={group[0]!.widget === 'flag' ? 'switches' : 'setting-grid'}>
            {group.map(field => (
              <Setting key={field.key} field={field} tab={tab} />
            ))}
          </div>
        ))}
        {!isLocked && (
          <noscript>
            <button type="submit" className="btn btn-primary">
              {t('ui.save')}
            </button>
          </noscript>
        )}
      </Form>
      {links.length > 0 && (
        <p className="setting-links">
          {links.map(({ href, text }) => (
            <a key={href} className="btn btn-sm" href={href}>
              {text}
            </a>
          ))}
        </p>
      )}
      {footer}
    </Section>
  )
}

/** Neighbouring switches stand in one list, the other fields in a grid. */
function groupsOf(fields: FieldView[]): FieldView[][] {
  const groups: FieldView[][] = []
  for (const field of fields) {
    const last = groups.at(-1)
    if (last && (last[0]!.widget === 'flag') === (field.widget === 'flag')) last.push(field)
    else groups.push([field])
  }
  return groups
}
