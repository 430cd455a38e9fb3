/** List of islands: how to load each, and the nouns of its messages. */
import type { ComponentProps, ComponentType } from 'react'
import type { Noun } from '../src/locales/index.ts'

export interface IslandEntry {
  // The props differ; IslandProps has those of each island.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  load: () => Promise<{ default: ComponentType<any> }>
  nouns: Noun[]
}

export const islands = {
  'api-try': { load: () => import('./api-docs/try.tsx'), nouns: ['api_try'] },
  'channel-mapping': { load: () => import('./channels/mapping.tsx'), nouns: ['mapping'] },
  'channel-models': { load: () => import('./channels/models.tsx'), nouns: ['provider'] },
  'channel-provider': { load: () => import('./channels/provider.tsx'), nouns: ['provider', 'routes', 'mapping'] },
  'chat-links': { load: () => import('./settings/chat-links.tsx'), nouns: ['assist'] },
  'email-domains': { load: () => import('./settings/email-domains.tsx'), nouns: ['assist'] },
  'option-rows': { load: () => import('./settings/option-rows.tsx'), nouns: ['mapping'] },
  playground: { load: () => import('./playground/playground.tsx'), nouns: ['ui', 'playground', 'time'] },
  'playground-make': { load: () => import('./playground/make.tsx'), nouns: ['ui', 'make'] },
  'token-models': { load: () => import('./tokens/models.tsx'), nouns: ['picker'] },
} satisfies Record<string, IslandEntry>

export type IslandName = keyof typeof islands
export type IslandProps<Name extends IslandName> = ComponentProps<
  Awaited<ReturnType<(typeof islands)[Name]['load']>>['default']
>
