/** A place where the page becomes live. Rendered as a root of its own, so ids match when it wakes. */
import { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { renderToString } from 'react-dom/server'
import { usePageContext } from '../../client/components/page-context.tsx'
import { IslandRoot } from '../../client/island-root.tsx'
import { type IslandName, type IslandProps, islands } from '../../client/islands.ts'
import { messagesOf, type Noun } from '../../src/locales/index.ts'

/** The server needs them at once; a browser loads the one it meets. */
const components = Object.fromEntries(
  await Promise.all(Object.entries(islands).map(async ([name, { load }]) => [name, (await load()).default])),
) as Record<string, ComponentType<object>>

/** What every part may say. */
const sharedNouns: Noun[] = ['part', 'time']

/** `about` is what it is one of: drawn again for the same thing it stays awake, for another it is another. */
export function Island<Name extends IslandName>({
  name,
  about,
  ...props
}: { name: Name; about: string | number } & IslandProps<Name>) {
  const id = `${name}-${about}`
  const { t, ...facts } = usePageContext()
  const Component = components[name]!
  const words = messagesOf(facts.language, [...sharedNouns, ...islands[name]!.nouns])
  const html = renderToString(
    <IslandRoot context={{ t, ...facts }} client={new QueryClient()}>
      <Component {...props} />
    </IslandRoot>,
    { identifierPrefix: id },
  )
  return (
    <tollgate-island
      id={id}
      name={name}
      props={JSON.stringify(props)}
      reader={JSON.stringify(facts)}
      words={JSON.stringify(words)}
      hx-morph-skip-children=""
      dangerouslySetInnerHTML={{ __html: html }}
    />
  )
}
