/** Section of the personal settings, and rows in it: what each is, its state, its action at the right. */
import type { ReactNode } from 'react'

interface SectionProps {
  title: string
  help?: ReactNode
  action?: ReactNode
  children: ReactNode
}

export const Section = ({ title, help, action, children }: SectionProps) => (
  <section className="section">
    <header>
      <h2>{title}</h2>
      {action}
      {help && <p className="help">{help}</p>}
    </header>
    {children}
  </section>
)

interface SectionRowProps {
  icon?: ReactNode
  title: ReactNode
  detail: ReactNode
  children?: ReactNode
}

/** Stands in a `<ul>` of the section. */
export const SectionRow = ({ icon, title, detail, children }: SectionRowProps) => (
  <li>
    {icon}
    <span className="min-w-0 flex-1">
      <span className="block wrap-anywhere">{title}</span>
      <span className="help block">{detail}</span>
    </span>
    {children}
  </li>
)
