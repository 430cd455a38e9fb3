/** Narrow page of set-up, sign-in and sign-up. */
import CircleAlert from 'lucide/dist/esm/icons/circle-alert.mjs'
import MailCheck from 'lucide/dist/esm/icons/mail-check.mjs'
import type { ReactNode } from 'react'
import { Icon } from '../../client/components/icon.tsx'
import type { Visit } from '../../src/contracts/visit.ts'
import { Brand } from './brand.tsx'
import { OtherLanguages } from './preferences.tsx'

export const AuthLayout = ({
  visit,
  wide,
  title,
  lead,
  foot,
  children,
}: {
  visit: Visit
  wide?: boolean
  title: string
  lead?: ReactNode
  foot: ReactNode
  children: ReactNode
}) => (
  <div className={wide ? 'auth-page setup' : 'auth-page'}>
    <span />
    <main id="main">
      <Brand visit={visit} />
      <h1>{title}</h1>
      {lead && <p className="ink-2 m-0">{lead}</p>}
      {children}
    </main>
    <footer className="foot">{foot}</footer>
  </div>
)

/** The site, its version and the other languages. */
export const AuthFoot = ({ visit }: { visit: Visit }) => (
  <>
    {visit.status.system_name} {visit.status.version} · <OtherLanguages visit={visit} />
  </>
)

/** What is wrong with a form as a whole. */
export const Problem = ({ children }: { children: ReactNode }) => (
  <p className="note error" role="alert">
    <Icon of={CircleAlert} />
    <span>{children}</span>
  </p>
)

/** What was just mailed. */
export const Sent = ({ children }: { children: ReactNode }) => (
  <p className="note ok" role="status">
    <Icon of={MailCheck} />
    <span className="wrap-anywhere">{children}</span>
  </p>
)
