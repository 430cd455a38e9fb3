/** The formats of upstreams alone. */
import { cohere } from './cohere.ts'
import type { UpstreamWire } from './upstream-wire.ts'

export const upstreamWires: readonly UpstreamWire[] = [cohere]
