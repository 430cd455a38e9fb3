/** Renders an island as its own React root, so that the ids of `useId` match on hydration. */
import { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { renderToString } from 'react-dom/server'
import { usePageContext } from '../../client/components/page-context.tsx'
import { IslandRoot } from '../../client/island-root.tsx'
import { type IslandName, type IslandProps, islands } from '../../client/islands.ts'
import { messagesOf, type Noun } from '../../src/locales/index.ts'

/** The server loads all islands at start; a browser loads those on its page. */
const components = Object.fromEntries(
  await Promise.all(Object.entries(islands).map(async ([name, { load }]) => [name, (await load()).default])),
) as Record<string, ComponentType<object>>

/** Message nouns that every island gets. */
const sharedNouns: Noun[] = ['field']

/** @param about id of the edited entity: a re-render with the same id keeps the island's state. */
export function Island<Name extends IslandName>({
  name,
  about,
  ...props
}: { name: Name; about: string | number } & IslandProps<Name>) {
  const id = `${name}-${about}`
  const { t, ...context } = usePageContext()
  const Component = components[name]!
  const messages = messagesOf(context.language, [...sharedNouns, ...islands[name]!.nouns])
  const html = renderToString(
    <IslandRoot context={{ t, ...context }} client={new QueryClient()}>
      <Component {...props} />
    </IslandRoot>,
    { identifierPrefix: id },
  )
  return (
    <tollgate-island
      id={id}
      name={name}
      props={JSON.stringify(props)}
      context={JSON.stringify(context)}
      messages={JSON.stringify(messages)}
      hx-morph-skip-children=""
      dangerouslySetInnerHTML={{ __html: html }}
    />
  )
}
