/** Narrow page of set-up, sign-in and sign-up. */
import type { ReactNode } from 'react'
import type { Visit } from '../../src/contracts/visit.ts'
import { Brand } from './brand.tsx'

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
