/** Root of an island, on the server and in the browser: page context and QueryClient. */
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type PageContext, PageContextProvider } from './components/page-context.tsx'

export const IslandRoot = ({
  context,
  client,
  children,
}: {
  context: PageContext
  client: QueryClient
  children: ReactNode
}) => (
  <PageContextProvider value={context}>
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  </PageContextProvider>
)
