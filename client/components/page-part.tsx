/** A part of a page under a heading of its own. */
import type { ReactNode } from 'react'

export const PagePart = ({ title, small, children }: { title: string; small?: ReactNode; children: ReactNode }) => (
  <section>
    <div className="figure-head">
      <h2>
        {title} {small !== undefined && <small>{small}</small>}
      </h2>
    </div>
    {children}
  </section>
)
