/** Names of things as links to where their reader may open them. */
import type { ReactNode } from 'react'
import { PLAYGROUND_PREFIX } from '../../src/contracts/relay.ts'
import { channelsAt } from '../channels/view.ts'
import { playgroundAt } from '../playground/view.ts'
import { pricingAt } from '../pricing/view.ts'
import { tokensAt } from '../tokens/view.ts'
import { usersAt } from '../users/view.ts'

const Thing = ({ href, className, children }: { href: string; className?: string; children: ReactNode }) => (
  <a className={className ? `hover:underline ${className}` : 'hover:underline'} href={href}>
    {children}
  </a>
)

interface ThingProps {
  name: string
  className?: string
}

/** For administrators. A channel without a name is deleted. */
export function ChannelName({ id, name, className }: ThingProps & { id: number }) {
  const text = `#${id} ${name}`
  if (!name) return <span className={className}>{text}</span>
  return (
    <Thing href={channelAt(id)} className={className}>
      {text}
    </Thing>
  )
}

export const channelAt = (id: number): string => channelsAt({}, { edit: id })

/** For administrators. */
export const UserName = ({ id, name, className }: ThingProps & { id: number }) => (
  <Thing href={usersAt({}, { edit: id })} className={className}>
    {name}
  </Thing>
)

/** Its prices, which everyone may read. */
export const ModelName = ({ name, className }: ThingProps) => (
  <Thing href={modelAt(name)} className={className}>
    {name}
  </Thing>
)

export const modelAt = (name: string): string => pricingAt({ keyword: name }, name)

/** One's own key opens; those of another user are listed, for administrators. The playground calls without a key. */
export function KeyName({ id, name, owner, className }: ThingProps & { id: number; owner?: number }) {
  const href = id ? (owner === undefined ? keyAt(id) : usersAt({}, { tokens: owner })) : playgroundOf(name)
  if (!href) return <span className={className}>{name}</span>
  return (
    <Thing href={href} className={className}>
      {name}
    </Thing>
  )
}

/** @returns undefined for a name that the playground has not given */
export const playgroundOf = (name: string): string | undefined =>
  name.startsWith(PLAYGROUND_PREFIX) ? playgroundAt({ group: name.slice(PLAYGROUND_PREFIX.length) }) : undefined

export const keyAt = (id: number): string => tokensAt({}, { edit: id })

/** The user of a key, by name. */
export const keysOfAt = (username: string): string => usersAt({ keyword: username })
