/** Failed calls of the demo. */
import type { FailureKind } from '../../contracts/channel-history.ts'
import { LogType } from '../../contracts/log.ts'
import type { Channel } from '../../domain/channels/index.ts'

interface DemoFailure {
  kind: FailureKind
  status: number
  type: string
  code: string
  message: string
}

export const failures: readonly DemoFailure[] = [
  {
    kind: 'rate_limited',
    status: 429,
    type: 'requests',
    code: 'rate_limit_exceeded',
    message: 'Rate limit reached for requests',
  },
  {
    kind: 'unreachable',
    status: 502,
    type: 'upstream_error',
    code: 'upstream_unreachable',
    message: 'The upstream cannot be reached',
  },
  {
    kind: 'timeout',
    status: 504,
    type: 'upstream_error',
    code: 'upstream_timeout',
    message: 'The upstream did not answer in time',
  },
  {
    ...{ kind: 'bad_request', status: 400, type: 'invalid_request_error', code: 'context_length_exceeded' },
    message: "This model's maximum context length is 128000 tokens",
  },
]

export const failedFields = (
  { id, name }: Pick<Channel, 'id' | 'name'>,
  { status, type, code, message }: DemoFailure,
) => ({
  type: LogType.error,
  content: message,
  other: JSON.stringify({
    error_type: type,
    error_code: code,
    status_code: status,
    channel_id: id,
    channel_name: name,
    request_path: '/v1/chat/completions',
  }),
})
