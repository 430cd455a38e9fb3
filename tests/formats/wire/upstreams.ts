/** The formats of upstreams alone. */
import { aliNative } from './ali.ts'
import { bedrock } from './bedrock.ts'
import { cohere } from './cohere.ts'
import { coze } from './coze.ts'
import { dify } from './dify.ts'
import { library } from './library.ts'
import { palm } from './palm.ts'
import { replicate } from './replicate.ts'
import { spark } from './spark.ts'
import { tencent } from './tencent.ts'
import type { UpstreamWire } from './upstream-wire.ts'
import { wenxin } from './wenxin.ts'
import { zhipuV3 } from './zhipu-v3.ts'

export const upstreamWires: readonly UpstreamWire[] = [
  wenxin,
  zhipuV3,
  palm,
  library,
  cohere,
  coze,
  dify,
  aliNative,
  bedrock,
  spark,
  tencent,
  replicate,
]
