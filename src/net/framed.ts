/** Bodies in other framings than server-sent events, read as if they had come as such. */
import { BrokenFrame, deframer, type FramingName, framingOf } from '../stream/framing.ts'
import { asBuffer, dataIn } from '../stream/sse.ts'
import { type ChunkReader, NetworkError } from './upstream-fetch.ts'

interface FramedBody {
  /** Media type. */
  type: string
  /** By the media type unless given. */
  framing?: FramingName
  writeException?(exception: { type: string; message: string }): object
}

/** @param frame_max bytes of one frame. @returns `source` itself where server-sent events come */
export function deframed(source: ChunkReader, frame_max: number, body: FramedBody): ChunkReader {
  const framing = body.framing ?? framingOf(body.type)
  if (!framing) return source
  const frames = deframer(framing, body.writeException)
  let hasEnded = false
  return {
    async next() {
      if (frames.broken) throw unreadable(frames.broken)
      for (let chunk = await source.next(); chunk; chunk = await source.next()) {
        const events = readable(() => frames.push(asBuffer(chunk!)))
        if (events) return events
        if (frames.pending > frame_max) throw new NetworkError('too_large')
      }
      if (hasEnded) return undefined
      hasEnded = true
      return frames.end()
    },
  }
}

/** The data of all events of a whole body. @throws NetworkError */
export function eventsOfWhole(bytes: Uint8Array<ArrayBuffer>, body: FramedBody): string[] {
  const framing = body.framing ?? framingOf(body.type)
  if (!framing) return dataIn(Buffer.concat([bytes, BLANK_LINE]))
  const frames = deframer(framing, body.writeException)
  const events = [readable(() => frames.push(asBuffer(bytes))), frames.end()]
  if (frames.broken) throw unreadable(frames.broken)
  return events.flatMap(found => (found ? dataIn(found) : []))
}

const BLANK_LINE = Buffer.from('\n\n')

function readable<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof BrokenFrame ? unreadable(error) : error
  }
}

const unreadable = ({ message }: BrokenFrame) => new NetworkError('unreachable', message)
