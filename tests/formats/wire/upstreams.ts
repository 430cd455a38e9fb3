/** The formats of upstreams alone. */
import { spark } from './spark.ts'
import { tencent } from './tencent.ts'
import type { UpstreamWire } from './upstream-wire.ts'

export const upstreamWires: readonly UpstreamWire[] = [spark, tencent]
