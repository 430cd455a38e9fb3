import type { Dialect } from '../dialect.ts'
import { readError, writeError } from './api-error.ts'
import { readRequest } from './read-request.ts'
import { readResponse } from './read-response.ts'
import { readStream } from './read-stream.ts'
import { writeRequest } from './write-request.ts'
import { writeResponse } from './write-response.ts'
import { writeStream } from './write-stream.ts'

export const geminiDialect: Dialect = {
  name: 'gemini',
  readRequest,
  writeRequest,
  readResponse,
  writeResponse,
  readStream,
  writeStream,
  readError: readError,
  writeError: writeError,
}
