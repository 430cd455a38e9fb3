/** The formats of upstreams alone. */
import { aliNative } from './ali.ts'
import type { UpstreamWire } from './upstream-wire.ts'

export const upstreamWires: readonly UpstreamWire[] = [aliNative]
