import type { Dialect } from '../dialect.ts'
import { readFailure, writeFailure } from './failure.ts'
import { readAnswer } from './read-answer.ts'
import { readRequest } from './read-request.ts'
import { readStream } from './read-stream.ts'
import { writeAnswer } from './write-answer.ts'
import { writeRequest } from './write-request.ts'
import { writeStream } from './write-stream.ts'

export const openAiResponsesDialect: Dialect = {
  format: 'openai-responses',
  readRequest,
  writeRequest,
  readAnswer,
  writeAnswer,
  readStream,
  writeStream,
  readError: readFailure,
  writeError: writeFailure,
}
