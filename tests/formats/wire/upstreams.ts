/** The formats of upstreams alone. */
import type { UpstreamWire } from './upstream-wire.ts'

export const upstreamWires: readonly UpstreamWire[] = []
