import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Reader, ReaderProvider } from './components/page-context.tsx'

/** What every island lives in, here and on the server. */
export const Live = ({ reader, client, children }: { reader: Reader; client: QueryClient; children: ReactNode }) => (
  <ReaderProvider value={reader}>
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  </ReaderProvider>
)
