/** The formats of upstreams alone. */
import { replicate } from './replicate.ts'
import type { UpstreamWire } from './upstream-wire.ts'

export const upstreamWires: readonly UpstreamWire[] = [replicate]
