import type { ReactNode } from 'react'

/** The title, what it counts, and at the right the one primary action (others before it). */
export const PageHead = ({ title, small, children }: { title: string; small?: ReactNode; children?: ReactNode }) => (
  <div className="page-head">
    <h1>
      {title} {small !== undefined && <small>{small}</small>}
    </h1>
    {children}
  </div>
)
