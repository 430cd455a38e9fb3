/** Heading of a page: title, count, and actions at the right, the primary one last. */
import type { ReactNode } from 'react'

export const PageHead = ({ title, small, children }: { title: string; small?: ReactNode; children?: ReactNode }) => (
  <div className="page-head">
    <h1>
      {title} {small !== undefined && <small>{small}</small>}
    </h1>
    {children}
  </div>
)
