/** Frames of an AWS event stream, as a server writes them. */
import { crc32 } from 'node:zlib'

export interface AwsFrame {
  /** Texts; `:message-type` is `event` unless given. */
  headers: Record<string, string>
  /** JSON, or a text as it is. */
  payload: unknown
}

/** One Anthropic event in the frame of InvokeModelWithResponseStream. */
export const chunkFrame = (event: unknown): AwsFrame => ({
  headers: { ':event-type': 'chunk', ':content-type': 'application/json' },
  payload: { bytes: Buffer.from(JSON.stringify(event)).toString('base64'), p: 'abcd' },
})

export function awsFrame({ headers, payload }: AwsFrame): Buffer {
  const head = Buffer.concat(
    Object.entries({ ...headers, ':message-type': headers[':message-type'] ?? 'event' }).map(header),
  )
  const body = Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload))
  const prelude = Buffer.alloc(12)
  prelude.writeUInt32BE(16 + head.length + body.length, 0)
  prelude.writeUInt32BE(head.length, 4)
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8)
  const message = Buffer.concat([prelude, head, body])
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(message))
  return Buffer.concat([message, checksum])
}

const STRING = 7

function header([name, value]: [string, string]): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(Buffer.byteLength(value))
  const named = Buffer.from(name)
  return Buffer.concat([Buffer.from([named.length]), named, Buffer.from([STRING]), length, Buffer.from(value)])
}
