/** The formats of upstreams alone. */
import { bedrock } from './bedrock.ts'
import type { UpstreamWire } from './upstream-wire.ts'

export const upstreamWires: readonly UpstreamWire[] = [bedrock]
