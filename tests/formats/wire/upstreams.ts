/** The formats of upstreams alone. */
import { cohere } from './cohere.ts'
import { library } from './library.ts'
import { palm } from './palm.ts'
import type { UpstreamWire } from './upstream-wire.ts'
import { wenxin } from './wenxin.ts'
import { zhipuV3 } from './zhipu-v3.ts'

export const upstreamWires: readonly UpstreamWire[] = [wenxin, zhipuV3, palm, library, cohere]
