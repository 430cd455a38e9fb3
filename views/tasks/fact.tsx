/** Facts of a task, a line each. */
import type { ReactNode } from 'react'
import { Copy } from '../../client/components/copy.tsx'
import { At } from '../../client/components/moment.tsx'

export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)

/** @param at unix milliseconds */
export const Ms = ({ at }: { at: number }) => <At at={Math.floor(at / 1000)} />

export const IdFact = ({ name, id }: { name: string; id: string }) => (
  <Fact name={name}>
    <span className="mono">{id}</span> <Copy text={id} className="icon-button wide-only !h-5 !min-w-5 align-middle" />
  </Fact>
)
