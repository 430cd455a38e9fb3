/** Draws parts of islands into the document. */
import './dom.ts'
import { QueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { IslandRoot } from '../../../client/island-root.tsx'
import { translator } from '../../../src/locales/index.ts'

const context = {
  language: 'en' as const,
  currency: { quota_per_unit: 500_000, display_in_currency: true },
  zone: 'UTC',
  now: 0,
  csrf: '',
  t: translator('en'),
}

/** An element in which parts are drawn, one in place of the other. */
export function stage() {
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  const client = new QueryClient()
  return {
    place: place as HTMLElement,
    draw: (part: ReactNode) =>
      flushSync(() =>
        root.render(
          <IslandRoot context={context} client={client}>
            {part}
          </IslandRoot>,
        ),
      ),
  }
}
