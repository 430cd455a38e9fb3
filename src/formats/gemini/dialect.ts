import type { Dialect } from '../dialect.ts'
import { readFailure, writeFailure } from './api-error.ts'
import { readRequest } from './read-request.ts'
import { readAnswer } from './read-response.ts'
import { readStream } from './read-stream.ts'
import { writeRequest } from './write-request.ts'
import { writeAnswer } from './write-response.ts'
import { writeStream } from './write-stream.ts'

export const geminiDialect: Dialect = {
  format: 'gemini',
  readRequest,
  writeRequest,
  readAnswer,
  writeAnswer,
  readStream,
  writeStream,
  readError: readFailure,
  writeError: writeFailure,
}
