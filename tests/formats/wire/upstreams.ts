/** The formats of upstreams alone. */
import { coze } from './coze.ts'
import { dify } from './dify.ts'
import type { UpstreamWire } from './upstream-wire.ts'

export const upstreamWires: readonly UpstreamWire[] = [coze, dify]
