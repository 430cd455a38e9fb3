/**
 * Bedrock's Converse API, upstream only.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html (read 2026-11)
 */

import type { TranslatedUpstream } from '../format.ts'
import { objectOf } from '../json/lenient-json.ts'
import { lowered } from '../json/lowered.ts'
import { readError } from './api-error.ts'
import { limits } from './limits.ts'
import { readResponse } from './read-response.ts'
import { readStream } from './read-stream.ts'
import { writeRequest } from './write-request.ts'

export const bedrock: TranslatedUpstream = {
  name: 'bedrock',
  limits,
  writeRequest,
  readResponse,
  readStream,
  readError,
  limitOutput(body, limit) {
    const config = objectOf(body.inferenceConfig)
    return { ...body, inferenceConfig: { ...config, maxTokens: lowered(config.maxTokens, limit) } }
  },
}
